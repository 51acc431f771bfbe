//! Requests a second of `colobus mock`, how long all but one in a hundred take at most, and its memory in the beginning and in the end,
//! beside Prism on the same learned description. `make bench-learn` installs Prism; `COLOBUS_SECONDS=3600` asks for an hour.

mod load;

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use load::{Load, load};

/// Small answers of different operations; `#` is another number in every request.
const PATHS: [&str; 4] = ["/status", "/me", "/loans/#", "/authors/mary-shelley-#"];
const CONNECTIONS: usize = 4;
const LONGEST_START: Duration = Duration::from_secs(60);

/// Ended with the bench.
struct Mock(Child);

impl Drop for Mock {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let learn = crate_folder().join("../colobus-learn");
    let learned = Command::new(env!("CARGO_BIN_EXE_colobus"))
        .arg("learn")
        .arg(learn.join("tests/truth/library.har"))
        .args(["-o", "api"])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .status();
    assert!(learned.is_ok_and(|status| status.success()), "the capture can be learned");
    println!(
        "| mock | requests a second | 99th percentile | bytes an answer | memory: in the beginning | in the end |"
    );
    println!("| --- | --- | --- | --- | --- | --- |");
    row("colobus mock", &own(folder.path()));
    match prism(folder.path(), &learn.join("benches/packages/node_modules/.bin/prism")) {
        Ok(loaded) => row("Prism", &loaded),
        Err(why) => println!("| Prism | {why} | | | | |"),
    }
}

fn crate_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

fn row(name: &str, Load { a_second, percentile_99, bytes, memory }: &Load) {
    let [begin, end] = memory.map(|kibibytes| kibibytes / 1024);
    let percentile = percentile_99.as_secs_f64() * 1000.0;
    println!("| {name} | {a_second:.0} | {percentile:.2} ms | {bytes} | {begin} MiB | {end} MiB |");
}

fn time() -> Duration {
    let seconds = std::env::var("COLOBUS_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    Duration::from_secs(seconds.unwrap_or(5))
}

fn own(folder: &Path) -> Load {
    let mut command = Command::new(env!("CARGO_BIN_EXE_colobus"));
    command.args(["mock", "api/api.ail", "--port", "0"]).current_dir(folder).stdout(Stdio::piped());
    let mut mock = Mock(command.spawn().expect("colobus can be run"));
    let mut line = String::new();
    BufReader::new(mock.0.stdout.take().expect("its output")).read_line(&mut line).expect("its address");
    let address = line.strip_prefix("http://").and_then(|rest| rest.split('/').next()).expect("its address");
    load(address, mock.0.id(), &PATHS, CONNECTIONS, time())
}

fn prism(folder: &Path, program: &Path) -> Result<Load, String> {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
    let mut command = Command::new(program);
    command.args(["mock", "--host", "127.0.0.1", "--port", &port.to_string(), "--verboseLevel", "silent"]);
    command.arg("api/openapi.yaml").current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    let mut mock = Mock(command.spawn().map_err(|error| format!("cannot be run: {error}"))?);
    let (address, begun) = (format!("127.0.0.1:{port}"), Instant::now());
    while TcpStream::connect(&address).is_err() {
        if let Ok(Some(status)) = mock.0.try_wait() {
            return Err(format!("ended with {status}"));
        }
        if begun.elapsed() > LONGEST_START {
            return Err("does not listen".to_string());
        }
        // A port that opens cannot be waited for in another way.
        sleep(Duration::from_millis(20));
    }
    Ok(load(&address, mock.0.id(), &PATHS, CONNECTIONS, time()))
}
