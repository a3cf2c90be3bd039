//! A scene: what a file says, and where it says it.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use gritstone_io::memory;
use toml::de::{DeTable, DeValue};

use crate::assignment::{Assignment, assign};
use crate::node::{Item, Node, Reader, get, whole};
use crate::problem::{Problem, Problems, Source};
use crate::schema::SceneFile;

/// A scene as text, as a tree and with its places takes about so many times the bytes of its file.
const PER_BYTE: u64 = 32;

/// A scene.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What the file says, in SI units.
    pub file: SceneFile,
    /// The folder that other files are searched for in.
    pub folder: PathBuf,
    /// Whether nothing outside of that folder is read.
    pub(crate) sandbox: bool,
    source: Source,
    spans: HashMap<String, Range<usize>>,
}

impl From<SceneFile> for Scene {
    /// A scene that was not read from a text; other files are searched for in the working directory.
    fn from(file: SceneFile) -> Self {
        let source = Source { name: "scene".to_owned(), text: String::new() };
        Self { file, folder: PathBuf::new(), sandbox: false, source, spans: HashMap::new() }
    }
}

impl Scene {
    /// Reads a scene from a file; other files are searched for beside it.
    pub fn read(path: &Path) -> Result<Self, Problems> {
        Self::read_with(path, &[])
    }

    /// The same with some keys set to other values than the file gives them.
    pub fn read_with(path: &Path, assignments: &[Assignment]) -> Result<Self, Problems> {
        let name = path.display().to_string();
        let text = read_text(path)?;
        let text = if assignments.is_empty() { text } else { assign(&text, &name, assignments)? };
        let scene = Self::parse(&text, &name)?;
        Ok(Self { folder: path.parent().map(Path::to_owned).unwrap_or_default(), ..scene })
    }

    /// The same scene with some keys set to other values.
    pub fn with(&self, assignments: &[Assignment]) -> Result<Self, Problems> {
        let Source { name, text } = &self.source;
        let scene = Self::parse(&assign(text, name, assignments)?, name)?;
        Ok(Self { folder: self.folder.clone(), ..scene })
    }

    /// Reads a scene from a text; `name` is what the text is called in messages.
    pub fn parse(text: &str, name: &str) -> Result<Self, Problems> {
        let source = Source { name: name.to_owned(), text: text.to_owned() };
        let (root, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            return Err(Problems { source, list: syntax(&errors, text) });
        }
        let root = DeValue::Table(root.into_inner());
        let item = Item { key: String::new(), value: &root, span: 0..0, tag: None };
        let mut reader = Reader::new(text, dimension(&item));
        let file = SceneFile::read(&item, &mut reader);
        let Reader { problems, spans, .. } = reader;
        let scene = file.map(|file| Self {
            file,
            folder: PathBuf::new(),
            sandbox: false,
            source: source.clone(),
            spans,
        });
        let Some(scene) = scene else { return Err(Problems { source, list: sorted(problems) }) };
        scene.problems(problems)?;
        Ok(scene)
    }

    /// The scene as TOML, with all that it leaves to defaults, in SI units. Files keep the names that the scene has for them.
    pub fn to_toml(&self) -> String {
        match self.file.write() {
            Some(toml::Value::Table(table)) => table.to_string(),
            _ => String::new(),
        }
    }

    /// The scene's text and its name.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Where a key's value stands in the text, or the nearest thing around it that does.
    pub fn span(&self, key: &str) -> Option<Range<usize>> {
        let mut key = key;
        loop {
            if let Some(span) = self.spans.get(key) {
                return Some(span.clone());
            }
            key = &key[..key.rfind(['.', '['])?];
        }
    }
}

/// The text of a file.
pub(crate) fn read_text(path: &Path) -> Result<String, Problems> {
    let refused = |message, text, span| Problems {
        source: Source { name: path.display().to_string(), text },
        list: vec![Problem { key: String::new(), span, message }],
    };
    let bytes = memory::read_at_most(path, memory::limit() / PER_BYTE)
        .map_err(|error| refused(format!("cannot be read: {error}"), String::new(), None))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let message = format!(
            "cannot be read: is not UTF-8 text: byte {} of the file, {:#04x}",
            at + 1,
            error.as_bytes()[at]
        );
        // What is before that byte is kept as it is, so that the place is the same.
        refused(message, String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(at..at))
    })
}

/// Two or three; three where the file does not say it rightly, which is reported later.
fn dimension(root: &Item<'_>) -> usize {
    let dimension = root.value.as_table().and_then(|table| whole(&get(root, table, "dimension")?));
    if dimension == Some(2) { 2 } else { 3 }
}

/// What the parser says, less what follows from a table that is there twice.
pub(crate) fn syntax(errors: &[toml::de::Error], text: &str) -> Vec<Problem> {
    let mut list = Vec::new();
    let mut told_up_to = 0;
    for error in errors {
        let span = error.span().filter(|span| text.get(span.clone()).is_some());
        let at = span.as_ref().map_or(0, |span| span.start);
        let twice = error.message() == "duplicate key";
        if twice && at < told_up_to {
            continue;
        }
        let message = if twice {
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            if text[line..].starts_with('[') {
                told_up_to = text[at..].find("\n[").map_or(text.len(), |end| at + end);
            }
            let key = span.clone().map_or("", |span| &text[span]);
            format!("\"{key}\" is there twice, but a name can be given once (duplicate key)")
        } else {
            format!("is not valid TOML: {}", error.message().replace('\n', ", "))
        };
        list.push(Problem { key: String::new(), span, message });
    }
    list
}

/// In the order of the file; what stands nowhere last.
pub(crate) fn sorted(mut list: Vec<Problem>) -> Vec<Problem> {
    list.sort_by_key(|problem| problem.span.as_ref().map_or(usize::MAX, |span| span.start));
    list
}
