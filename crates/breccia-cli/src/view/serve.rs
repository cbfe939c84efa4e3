//! Which path gets which answer. Paths not listed here do not exist.

use super::assets;
use super::http::{Request, Response, read_request};
use super::info::describe;
use super::pack::pack;
use crate::watched::WatchedRun;
use breccia::output::vtk::PolyData;
use serde_json::{Value, json};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Connections answered at once; a page needs a handful.
const MOST_CONNECTIONS: usize = 64;

/// Runs to show and the port they are shown on.
pub struct Server {
    /// The runs, in the order given.
    pub runs: Vec<WatchedRun>,
    /// Own port: part of the only `Host` that is answered.
    pub port: u16,
}

impl Server {
    /// Answers until the program is ended.
    pub fn serve(self, listener: &TcpListener) {
        let server = Arc::new(self);
        let busy = Arc::new(AtomicUsize::new(0));
        for mut stream in listener.incoming().flatten() {
            if busy.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
                Response::failure(503, "too many connections at once").send(&mut stream, false);
                busy.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            let (server, done) = (Arc::clone(&server), Arc::clone(&busy));
            let answer = move || {
                server.answer(&mut stream);
                done.fetch_sub(1, Ordering::Relaxed);
            };
            if std::thread::Builder::new().spawn(answer).is_err() {
                busy.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }

    fn answer(&self, stream: &mut TcpStream) {
        match read_request(stream) {
            Ok(request) => self.respond(&request).send(stream, request.head_only),
            Err(refusal) => refusal.send(stream, false),
        }
    }

    /// The answer to a request.
    pub fn respond(&self, request: &Request) -> Response {
        if !self.is_own_name(&request.host) {
            // Another site may have pointed its own name at this machine to read the runs.
            return Response::failure(403, "this server answers to its own address only");
        }
        if let Some(asset) = assets::find(&request.path) {
            return Response::ok(asset.kind, asset.body);
        }
        let parts: Vec<&str> = request.path.split('/').collect();
        match parts.as_slice() {
            ["", "api", "runs"] => Response::json(&self.overview()),
            ["", "api", "runs", run] => self.with_run(run, |run| Response::json(&describe(run))),
            ["", "api", "runs", run, "table"] => self.with_run(run, table),
            ["", "api", "runs", run, "frames", kind, index] => {
                self.with_run(run, |run| frame(run, kind, index))
            }
            _ => Response::failure(404, "there is nothing here"),
        }
    }

    fn is_own_name(&self, host: &str) -> bool {
        ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{}", self.port))
    }

    fn overview(&self) -> Value {
        json!({ "version": env!("CARGO_PKG_VERSION"), "runs": self.runs.iter().map(describe).collect::<Vec<_>>() })
    }

    fn with_run(&self, number: &str, answer: impl FnOnce(&WatchedRun) -> Response) -> Response {
        match whole(number).and_then(|number| self.runs.get(number)) {
            Some(run) if run.exists() => answer(run),
            Some(run) => Response::json(&describe(run)).with_status(404),
            None => Response::failure(404, "there is no such run"),
        }
    }
}

impl Response {
    fn with_status(self, status: u16) -> Self {
        Self { status, ..self }
    }
}

/// Digits only: `+1`, ` 1` and the like are no numbers here.
fn whole(text: &str) -> Option<usize> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

fn table(run: &WatchedRun) -> Response {
    let read =
        run.inside("table.csv").and_then(|path| std::fs::read(path).map_err(|cause| cause.to_string()));
    match read {
        Ok(bytes) => Response::ok("text/csv; charset=utf-8", bytes),
        Err(refusal) => Response::failure(404, &refusal),
    }
}

fn frame(run: &WatchedRun, kind: &str, index: &str) -> Response {
    let Some(index) = whole(index) else { return Response::failure(404, "frames are numbered") };
    match run.frame(kind, index).map(|path| PolyData::read(&path)) {
        Ok(Ok(data)) => Response::ok("application/octet-stream", pack(&data)),
        Ok(Err(damage)) => Response::failure(500, &damage.to_string()),
        Err(refusal) => Response::failure(404, &refusal),
    }
}
