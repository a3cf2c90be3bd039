//! As much of HTTP/1.1 (RFC 9112) as one page on this machine needs: GET and HEAD, one range, one answer per connection.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::answer::{Answer, Site};
use crate::failure::Failure;

/// A request longer than this is no request of ours.
const LONGEST: u64 = 16 << 10;

/// How long a connection may stay silent.
const PATIENCE: Duration = Duration::from_secs(20);

/// Connections that are answered at once; a browser keeps six to one address.
const MOST: usize = 64;

/// How long to wait when threads or descriptors have run out: others give them back meanwhile.
const PAUSE: Duration = Duration::from_millis(50);

/// What is requested.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// The path with its query, as it was sent.
    pub(super) target: String,
    /// First and last byte that are wanted.
    pub(super) range: Option<(u64, Option<u64>)>,
    head_only: bool,
    host: String,
}

/// Takes a port on this machine, which others cannot reach.
pub(super) fn listen(port: u16) -> Result<TcpListener, Failure> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => {
            Failure::Failed(format!("port {port} is taken: give another with --port"))
        }
        _ => Failure::Failed(format!("cannot listen on port {port}: {error}")),
    })
}

/// Answers for good.
pub(super) fn serve(listener: &TcpListener, port: u16, site: &Site) {
    // Each connection holds a part of this.
    let open = Arc::new(());
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            thread::sleep(PAUSE);
            continue;
        };
        if Arc::strong_count(&open) > MOST {
            continue; // It is closed here.
        }
        let (site, held) = (site.clone(), Arc::clone(&open));
        let started = thread::Builder::new().spawn(move || {
            // A browser that goes away in the middle is not our concern.
            let _ = converse(stream, port, &site);
            drop(held);
        });
        if started.is_err() {
            thread::sleep(PAUSE);
        }
    }
}

fn converse(stream: TcpStream, port: u16, site: &Site) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = read(BufReader::new(&stream).take(LONGEST));
    let answer = match &request {
        // Another site that gives its own name this machine's address must not read what is served here.
        Some(request) if is_local(&request.host, port) => site.answer(request),
        Some(_) => Answer::text(403, "Only this machine is served."),
        None => Answer::text(400, "This is no request that can be answered."),
    };
    write(stream, answer, request.is_some_and(|request| request.head_only))
}

fn is_local(host: &str, port: u16) -> bool {
    ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{port}"))
}

/// The request, if it is one that can be answered.
fn read(mut lines: impl BufRead) -> Option<Request> {
    let mut line = || -> Option<String> {
        let mut text = String::new();
        lines.read_line(&mut text).ok().filter(|length| *length > 0)?;
        text.ends_with('\n').then(|| text.trim_end().to_owned())
    };
    let first = line()?;
    let mut words = first.split(' ');
    let (method, target) = (words.next()?, words.next()?.to_owned());
    if !["GET", "HEAD"].contains(&method) || !words.next()?.starts_with("HTTP/1.") {
        return None;
    }
    let mut request = Request { target, range: None, head_only: method == "HEAD", host: String::new() };
    loop {
        let field = line()?;
        if field.is_empty() {
            return Some(request);
        }
        let (name, value) = field.split_once(':')?;
        match name.to_ascii_lowercase().as_str() {
            "host" => request.host = value.trim().to_owned(),
            "range" => request.range = range(value.trim()),
            _ => {}
        }
    }
}

/// `bytes=100-199` or `bytes=100-`; other ranges are not needed and may be ignored.
fn range(value: &str) -> Option<(u64, Option<u64>)> {
    let (first, last) = value.strip_prefix("bytes=")?.split_once('-')?;
    let last = if last.is_empty() { None } else { Some(last.parse().ok()?) };
    Some((first.parse().ok()?, last))
}

fn write(mut stream: TcpStream, answer: Answer, head_only: bool) -> io::Result<()> {
    let reason = match answer.status {
        200 => "OK",
        206 => "Partial Content",
        403 => "Forbidden",
        404 => "Not Found",
        416 => "Range Not Satisfiable",
        _ => "Bad Request",
    };
    let extra: String = answer.fields.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let head = format!(
        "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n{extra}\r\n",
        answer.status, answer.kind, answer.length
    );
    stream.write_all(head.as_bytes())?;
    if !head_only {
        io::copy(&mut answer.body.take(answer.length), &mut stream)?;
    }
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::{is_local, range, read};

    #[test]
    fn requests_are_read_as_the_standard_has_them() {
        let text = b"GET /headers?from=16 HTTP/1.1\r\nHOST: 127.0.0.1:80\r\nRange: bytes=5-9\r\n\r\n";
        let request = read(&text[..]).unwrap();
        assert_eq!((request.target.as_str(), request.range), ("/headers?from=16", Some((5, Some(9)))));
        assert!(is_local(&request.host, 80) && !request.head_only);
        assert!(read(&b"HEAD / HTTP/1.0\r\n\r\n"[..]).unwrap().head_only);
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for text in [
            "",
            "GET",
            "GET /\r\n\r\n",
            "POST / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost",
            "GET / HTTP/1.1\r\n",
        ] {
            assert!(read(text.as_bytes()).is_none(), "{text:?}");
        }
    }

    #[test]
    fn only_names_of_this_machine_are_local() {
        for host in ["127.0.0.1", "localhost:81", "evil.example:80", "127.0.0.1:80.evil.example", ""] {
            assert!(!is_local(host, 80), "{host}");
        }
        assert!(is_local("localhost:80", 80));
    }

    #[test]
    fn ranges_have_a_start() {
        assert_eq!(range("bytes=7-"), Some((7, None)));
        for text in ["bytes=-5", "bytes=1-2,4-5", "lines=1-2", "bytes=a-b", ""] {
            assert_eq!(range(text), None, "{text}");
        }
    }
}
