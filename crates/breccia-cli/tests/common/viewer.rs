//! A running `breccia view` and requests to it, byte by byte.

use super::Desk;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

/// A viewer that ends with the test.
pub struct Viewer {
    child: Child,
    /// `http://127.0.0.1:PORT/`.
    pub address: String,
}

/// What the server answered.
pub struct Page {
    /// Status code; 0 if there was no answer.
    pub status: u16,
    /// Status line and headers.
    pub head: String,
    /// Contents.
    pub body: Vec<u8>,
}

impl Viewer {
    /// Starts a viewer of these runs on a free port.
    pub fn start(desk: &Desk, runs: &[&str]) -> Self {
        let mut arguments = vec!["view", "--no-open"];
        arguments.extend(runs);
        let mut child =
            desk.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("a viewer");
        let mut address = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut address).expect("its address");
        let address = address.trim().to_owned();
        assert!(address.starts_with("http://127.0.0.1:"), "{address}");
        Self { child, address }
    }

    /// `127.0.0.1:PORT`.
    pub fn host(&self) -> String {
        self.address.trim_start_matches("http://").trim_end_matches('/').to_owned()
    }

    /// Asks for a path, exactly as it is written.
    pub fn get(&self, path: &str) -> Page {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.host()))
    }

    /// Sends bytes and takes the answer.
    pub fn send(&self, request: &str) -> Page {
        let mut stream = TcpStream::connect(self.host()).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a limit");
        // A server that refuses early may close before all is sent.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let split = answer.windows(4).position(|window| window == b"\r\n\r\n");
        let Some(split) = split else { return Page { status: 0, head: String::new(), body: Vec::new() } };
        let head = String::from_utf8_lossy(&answer[..split]).into_owned();
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        Page { status, head, body: answer[split + 4..].to_vec() }
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
