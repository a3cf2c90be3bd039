//! Results of a sweep: a line of JSON for each case.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use gritstone_files::memory;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// A case that is done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What tells the case from all others: its scene, files included, and what was measured. Empty where the scene is wrong.
    #[serde(default)]
    pub key: String,
    /// Each key of the scene with its value.
    #[serde(with = "ordered")]
    pub values: Vec<(String, Value)>,
    /// What was measured; nothing where the case failed.
    #[serde(with = "ordered")]
    pub measured: Vec<(String, Option<f64>)>,
    /// Why the case failed; empty where it did not.
    pub error: String,
}

/// How a line begins.
const BEGIN: &[u8] = b"{\"";

/// The cases that are done, in a file where there is one.
#[derive(Debug, Default)]
pub struct Ledger {
    rows: HashMap<String, Row>,
    file: Option<File>,
}

impl Ledger {
    /// A ledger in a file, with the cases that it has already. Lines that are no cases, such as one that was cut off, are skipped;
    /// a file of something else is refused.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
        }
        let bytes = memory::read_at_most(path, memory::limit() / 4)?;
        let lines = || bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let rows: Vec<Row> = lines().filter_map(|line| serde_json::from_slice(line).ok()).collect();
        if rows.is_empty() && lines().any(|line| !line.starts_with(BEGIN) && !BEGIN.starts_with(line)) {
            let what = "it holds something else than results of a sweep";
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        // A line that was cut off must not take the next one with it.
        if bytes.last().is_some_and(|last| *last != b'\n') {
            file.seek(SeekFrom::End(0))?;
            file.write_all(b"\n")?;
        }
        let mut ledger = Self { rows: HashMap::new(), file: Some(file) };
        rows.into_iter().for_each(|row| ledger.keep(row));
        Ok(ledger)
    }

    /// The case of this key, where it went well.
    pub fn done(&self, key: &str) -> Option<&Row> {
        self.rows.get(key)
    }

    /// Notes a case, and writes it at once.
    pub fn note(&mut self, row: Row) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            let mut line = serde_json::to_vec(&row)?;
            line.push(b'\n');
            // In one piece: other programs may write into the same file.
            file.write_all(&line)?;
        }
        self.keep(row);
        Ok(())
    }

    fn keep(&mut self, row: Row) {
        if row.error.is_empty() && !row.key.is_empty() {
            self.rows.insert(row.key.clone(), row);
        }
    }
}

/// Objects whose keys stay in their order.
mod ordered {
    use std::marker::PhantomData;

    use super::{Deserialize, Deserializer, MapAccess, Serialize, Serializer, Visitor};

    pub(super) fn serialize<T: Serialize, S: Serializer>(
        pairs: &[(String, T)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(pairs.iter().map(|(key, value)| (key, value)))
    }

    struct Pairs<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Pairs<T> {
        type Value = Vec<(String, T)>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut pairs = Vec::new();
            while let Some(pair) = map.next_entry()? {
                pairs.push(pair);
            }
            Ok(pairs)
        }
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(String, T)>, D::Error> {
        deserializer.deserialize_map(Pairs(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn row(key: &str, number: f64) -> Row {
        Row {
            key: key.to_owned(),
            values: vec![("b".to_owned(), json!(1)), ("a".to_owned(), json!("x"))],
            measured: vec![("z".to_owned(), Some(number)), ("y".to_owned(), None)],
            error: String::new(),
        }
    }

    #[test]
    fn rows_survive_a_line_that_was_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        Ledger::open(&path).unwrap().note(row("one", 0.1)).unwrap();
        let mut torn = std::fs::read(&path).unwrap();
        torn.extend(&torn.clone()[..20]);
        std::fs::write(&path, torn).unwrap();
        let mut ledger = Ledger::open(&path).unwrap();
        ledger.note(row("two", 1e-300)).unwrap();
        ledger.note(Row { error: "failed".to_owned(), ..row("three", 0.0) }).unwrap();
        let again = Ledger::open(&path).unwrap();
        assert_eq!(again.done("one"), Some(&row("one", 0.1)));
        assert_eq!(again.done("two"), Some(&row("two", 1e-300)));
        assert_eq!(again.done("three"), None);
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 4);
    }

    /// A name given by mistake must not cost what is there; a device that never ends must not be read for ever.
    #[test]
    fn files_of_something_else_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.toml");
        std::fs::write(&path, "dimension = 3").unwrap();
        assert!(Ledger::open(&path).unwrap_err().to_string().contains("something else"));
        assert_eq!(std::fs::read(&path).unwrap(), b"dimension = 3");
        // The first case of all was cut off.
        std::fs::write(&path, "{\"key\":\"on").unwrap();
        assert!(Ledger::open(&path).is_ok());
        #[cfg(unix)]
        assert!(Ledger::open(Path::new("/dev/full")).unwrap_err().to_string().contains("no regular file"));
    }
}
