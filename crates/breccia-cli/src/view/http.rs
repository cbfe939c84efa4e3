//! As much of HTTP/1.1 as a browser on the same machine needs: GET, one request per connection.
//!
//! Nothing is decoded and nothing is guessed. The server's paths have no encoded characters, so an encoded path
//! simply is none of them.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A request head longer than this is not one of a browser on our page.
const LONGEST_HEAD: usize = 16 * 1024;
/// A client that says nothing for so long is dropped.
const PATIENCE: Duration = Duration::from_secs(10);

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
pub struct Request {
    /// Path with query, as sent.
    pub path: String,
    /// Value of the `Host` header.
    pub host: String,
    /// Whether only the head of the answer is wanted.
    pub head_only: bool,
}

/// An answer.
#[derive(Debug)]
pub struct Response {
    /// Status code.
    pub status: u16,
    /// Content type.
    pub kind: &'static str,
    /// Contents.
    pub body: Vec<u8>,
}

impl Response {
    /// Contents that were found.
    pub fn ok(kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self { status: 200, kind, body: body.into() }
    }

    /// JSON that was asked for.
    pub fn json(value: &serde_json::Value) -> Self {
        Self::ok("application/json", value.to_string())
    }

    /// A failure in words, for the page to show.
    pub fn failure(status: u16, words: &str) -> Self {
        let body = serde_json::json!({ "error": words }).to_string();
        Self { status, kind: "application/json", body: body.into() }
    }

    fn reason(&self) -> &'static str {
        match self.status {
            200 => "OK",
            400 => "Bad Request",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            431 => "Request Header Fields Too Large",
            503 => "Service Unavailable",
            _ => "Internal Server Error",
        }
    }

    /// Sends the answer. A page that has gone away is no failure of ours.
    pub fn send(&self, stream: &mut TcpStream, head_only: bool) {
        let allow = if self.status == 405 { "Allow: GET, HEAD\r\n" } else { "" };
        let head = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{allow}{SAFE_HEADERS}\r\n",
            self.status,
            self.reason(),
            self.kind,
            self.body.len()
        );
        let body: &[u8] = if head_only { &[] } else { &self.body };
        let _ = stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(body))
            .and_then(|()| stream.flush());
    }
}

/// The page may load what this server gives it and nothing else; nobody may frame it, guess types or keep copies.
const SAFE_HEADERS: &str = "Content-Security-Policy: default-src 'self'; img-src 'self' blob:; object-src 'none'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
    X-Content-Type-Options: nosniff\r\n\
    X-Frame-Options: DENY\r\n\
    Referrer-Policy: no-referrer\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    Cross-Origin-Opener-Policy: same-origin\r\n\
    Cache-Control: no-store\r\n\
    Connection: close\r\n";

/// Reads a request; what is wrong with it comes back as the answer to give.
pub fn read_request(stream: &mut TcpStream) -> Result<Request, Response> {
    let _ = stream.set_read_timeout(Some(PATIENCE));
    let _ = stream.set_write_timeout(Some(PATIENCE));
    let mut head = Vec::new();
    let mut piece = [0; 2048];
    while !head.windows(4).any(|window| window == b"\r\n\r\n") {
        if head.len() > LONGEST_HEAD {
            return Err(Response::failure(431, "the request is too long"));
        }
        match stream.read(&mut piece) {
            Ok(count) if count > 0 => head.extend_from_slice(&piece[..count]),
            _ => return Err(Response::failure(400, "the request ends too early")),
        }
    }
    parse(&head)
}

fn parse(head: &[u8]) -> Result<Request, Response> {
    let bad = || Response::failure(400, "this is not a request");
    let text = std::str::from_utf8(head).map_err(|_| bad())?;
    let mut lines = text.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(path), Some(version), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(bad());
    };
    if !version.starts_with("HTTP/1.") {
        return Err(bad());
    }
    if !["GET", "HEAD"].contains(&method) {
        return Err(Response::failure(405, "only GET and HEAD are answered"));
    }
    let headers = lines.take_while(|line| !line.is_empty()).map(|line| line.split_once(':'));
    let mut hosts = headers.flatten().filter(|(name, _)| name.eq_ignore_ascii_case("host"));
    let (Some((_, host)), None) = (hosts.next(), hosts.next()) else { return Err(bad()) };
    Ok(Request { path: path.to_owned(), host: host.trim().to_owned(), head_only: method == "HEAD" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(head: &str) -> u16 {
        parse(head.as_bytes()).err().map_or(200, |answer| answer.status)
    }

    #[test]
    fn requests_are_understood_or_refused() {
        let request = parse(b"GET /a?b=1 HTTP/1.1\r\nAccept: x\r\nhOsT: localhost:8 \r\n\r\n").unwrap();
        let expected = Request { path: "/a?b=1".into(), host: "localhost:8".into(), head_only: false };
        assert_eq!(request, expected);
        assert_eq!(status("POST / HTTP/1.1\r\nHost: a\r\n\r\n"), 405);
        assert_eq!(status("GET / HTTP/1.1\r\n\r\n"), 400);
        assert_eq!(status("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"), 400);
        assert_eq!(status("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
        assert_eq!(status("GET / SPDY\r\nHost: a\r\n\r\n"), 400);
        assert_eq!(status("\r\n\r\n"), 400);
        assert!(parse(&[0xff; 40]).is_err());
    }
}
