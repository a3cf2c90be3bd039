//! Splitting a stream into lines without ever holding much of it.

use std::io::{self, BufRead, BufReader, Read};

/// Longest line that is read, in bytes. Longer ones are skipped and reported.
pub const MAX_LINE: usize = 16 << 20;

/// How much is read at once, in bytes.
const BLOCK: usize = 256 << 10;

/// One line of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Which line of the stream it is, from 1.
    pub number: u64,
    /// Its bytes without the end of the line, or nothing if there were more than [`MAX_LINE`].
    pub text: Option<Vec<u8>>,
}

/// The lines of a stream that are not blank. Lines end in `\n` or `\r\n`; the last one need not.
#[derive(Debug)]
pub struct Lines<R> {
    reader: BufReader<R>,
    number: u64,
}

impl<R: Read> Lines<R> {
    /// Lines of this reader, which needs no buffer of its own.
    pub fn new(reader: R) -> Self {
        Self { reader: BufReader::with_capacity(BLOCK, reader), number: 0 }
    }

    /// The next lines: at least one, and then as many as are at hand without waiting for more. None at the end.
    pub fn next_batch(&mut self) -> io::Result<Vec<Line>> {
        let mut batch = Vec::new();
        while let Some(line) = self.next_line()? {
            let blank = line.text.as_ref().is_some_and(|text| text.trim_ascii().is_empty());
            if !blank {
                batch.push(line);
            }
            if !batch.is_empty() && !self.reader.buffer().contains(&b'\n') {
                break;
            }
        }
        Ok(batch)
    }

    fn next_line(&mut self) -> io::Result<Option<Line>> {
        let mut text = Vec::new();
        // Two more than the limit: the end of the line does not count.
        let read = self.reader.by_ref().take(MAX_LINE as u64 + 2).read_until(b'\n', &mut text)?;
        if read == 0 {
            return Ok(None);
        }
        let complete = text.last() == Some(&b'\n');
        if complete {
            text.pop();
            text.pop_if(|end| *end == b'\r');
        }
        self.number += 1;
        let short = text.len() <= MAX_LINE;
        if !complete && !short {
            self.reader.skip_until(b'\n')?;
        }
        Ok(Some(Line { number: self.number, text: short.then_some(text) }))
    }
}
