//! The real thing beside us: a native `dolt sql-server` and a client of MySQL's text protocol, as small as it can be.
#![allow(clippy::disallowed_methods)] // native: it waits for a process

use std::io::{BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What native Dolt said to a statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    Rows(Table),
    Done {
        affected: u64,
        insert_id: u64,
        warnings: u16,
    },
    Failed {
        errno: u16,
        message: String,
    },
    /// It ended the connection: a panic on its side. There is no answer to compare with.
    Lost,
}

/// A result as the text protocol gives it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    pub columns: Vec<String>,
    /// `VARCHAR`, `BIGINT UNSIGNED` …, as the cases name them.
    pub types: Vec<String>,
    pub rows: Vec<Vec<Option<Vec<u8>>>>,
}

/// A server over all databases in one directory; ends with its value.
pub struct Server {
    process: Child,
    port: u16,
}

impl Server {
    pub fn start(binary: &Path, databases: &Path) -> Server {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a free port").port();
        let home = databases.join(".home");
        std::fs::create_dir_all(&home).expect("a home for the server");
        for (key, value) in [("user.name", "tester"), ("user.email", "a@b.c")] {
            let status = Command::new(binary)
                .args(["config", "--global", "--add", key, value])
                .env("HOME", &home)
                .current_dir(&home)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            assert!(status.is_ok_and(|status| status.success()), "dolt config works");
        }
        let process = Command::new(binary)
            .args(["sql-server", "--host", "127.0.0.1", "--loglevel", "fatal", "--port", &port.to_string()])
            .arg("--data-dir")
            .arg(databases)
            .env("HOME", &home)
            .env("DOLT_DISABLE_EVENT_FLUSH", "1")
            .env("TZ", "UTC")
            .current_dir(databases)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("dolt starts");
        let server = Server { process, port };
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begin.elapsed() < Duration::from_secs(120), "dolt sql-server does not listen");
            std::thread::sleep(Duration::from_millis(50));
        }
        server
    }

    pub fn connect(&self) -> Connection {
        self.try_connect().expect("the server greets")
    }

    /// # Errors
    /// When the server has ended.
    pub fn try_connect(&self) -> std::io::Result<Connection> {
        Connection::open(self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// One connection. A lost one is reopened without a database in use.
pub struct Connection {
    port: u16,
    stream: TcpStream,
    reader: BufReader<TcpStream>,
    sequence: u8,
}

/// LONG_PASSWORD, LONG_FLAG, LOCAL_FILES, PROTOCOL_41, TRANSACTIONS, SECURE_CONNECTION, MULTI_RESULTS, PLUGIN_AUTH.
const CAPABILITIES: u32 = 0x1 | 0x4 | 0x80 | 0x200 | 0x2000 | 0x8000 | 0x2_0000 | 0x8_0000;
const UTF8MB4_0900_AI_CI: u8 = 255;
const MORE_RESULTS: u16 = 8;

impl Connection {
    fn open(port: u16) -> std::io::Result<Connection> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(180)))?;
        let reader = BufReader::with_capacity(1 << 16, stream.try_clone()?);
        let mut connection = Connection { port, stream, reader, sequence: 0 };
        connection.read()?;
        let mut hello = CAPABILITIES.to_le_bytes().to_vec();
        hello.extend_from_slice(&(1u32 << 30).to_le_bytes());
        hello.push(UTF8MB4_0900_AI_CI);
        hello.extend_from_slice(&[0; 23]);
        hello.extend_from_slice(b"root\0\0mysql_native_password\0");
        connection.write(&hello)?;
        let mut answer = connection.read()?;
        while matches!(answer.first(), Some(0xfe | 0x01)) {
            if answer[0] == 0xfe {
                connection.write(b"")?;
            }
            answer = connection.read()?;
        }
        Ok(connection)
    }

    fn read(&mut self) -> std::io::Result<Vec<u8>> {
        let mut packet = Vec::new();
        loop {
            let mut header = [0; 4];
            self.reader.read_exact(&mut header)?;
            let length = u32::from_le_bytes([header[0], header[1], header[2], 0]) as usize;
            self.sequence = header[3].wrapping_add(1);
            let start = packet.len();
            packet.resize(start + length, 0);
            self.reader.read_exact(&mut packet[start..])?;
            if length < 0xff_ffff {
                return Ok(packet);
            }
        }
    }

    fn write(&mut self, packet: &[u8]) -> std::io::Result<()> {
        let mut rest = packet;
        loop {
            let (part, after) = rest.split_at(rest.len().min(0xff_ffff));
            let mut bytes = (part.len() as u32).to_le_bytes()[..3].to_vec();
            bytes.push(self.sequence);
            bytes.extend_from_slice(part);
            self.stream.write_all(&bytes)?;
            self.sequence = self.sequence.wrapping_add(1);
            rest = after;
            if part.len() < 0xff_ffff {
                return Ok(());
            }
        }
    }

    /// Runs one statement. Of several results (CALL) the first with columns counts.
    pub fn query(&mut self, sql: &str) -> Outcome {
        match self.exchange(sql) {
            Ok(outcome) => outcome,
            Err(_) => {
                if let Ok(fresh) = Connection::open(self.port) {
                    *self = fresh;
                }
                Outcome::Lost
            }
        }
    }

    fn exchange(&mut self, sql: &str) -> std::io::Result<Outcome> {
        self.sequence = 0;
        let mut packet = vec![3];
        packet.extend_from_slice(sql.as_bytes());
        self.write(&packet)?;
        let (mut best, mut more) = self.result()?;
        while more {
            let next = self.result()?;
            more = next.1;
            if matches!((&best, &next.0), (Outcome::Done { .. }, Outcome::Rows(_))) {
                best = next.0;
            }
        }
        Ok(best)
    }

    fn result(&mut self) -> std::io::Result<(Outcome, bool)> {
        let packet = self.read()?;
        match packet.first() {
            Some(0xff) => return Ok((failure(&packet), false)),
            // LOAD DATA LOCAL asks for a file.
            Some(0xfb) => {
                let text = std::fs::read(String::from_utf8_lossy(&packet[1..]).as_ref()).unwrap_or_default();
                if !text.is_empty() {
                    self.write(&text)?;
                }
                self.write(b"")?;
                return self.result();
            }
            Some(0x00) => {
                let mut at = 1;
                let affected = length(&packet, &mut at).unwrap_or(0);
                let insert_id = length(&packet, &mut at).unwrap_or(0);
                let number = |at: usize| packet.get(at..at + 2).map_or(0, |b| u16::from_le_bytes([b[0], b[1]]));
                let (status, warnings) = (number(at), number(at + 2));
                return Ok((Outcome::Done { affected, insert_id, warnings }, status & MORE_RESULTS != 0));
            }
            _ => {}
        }
        let width = length(&packet, &mut 0).unwrap_or(0) as usize;
        let mut table = Table::default();
        for _ in 0..width {
            let packet = self.read()?;
            let mut at = 0;
            let fields: Vec<&[u8]> = (0..6).map(|_| text(&packet, &mut at).unwrap_or_default()).collect();
            table.columns.push(String::from_utf8_lossy(fields[4]).into_owned());
            at += 1;
            let charset = u16::from_le_bytes([packet[at], packet[at + 1]]);
            let flags = u16::from_le_bytes([packet[at + 7], packet[at + 8]]);
            table.types.push(type_name(packet[at + 6], charset, flags));
        }
        self.read()?;
        loop {
            let packet = self.read()?;
            match packet.first() {
                Some(0xff) => return Ok((failure(&packet), false)),
                Some(0xfe) if packet.len() < 9 => {
                    let status = u16::from_le_bytes([packet[3], packet[4]]);
                    return Ok((Outcome::Rows(table), status & MORE_RESULTS != 0));
                }
                _ => {
                    let mut at = 0;
                    table.rows.push((0..width).map(|_| text(&packet, &mut at).map(<[u8]>::to_vec)).collect());
                }
            }
        }
    }
}

fn failure(packet: &[u8]) -> Outcome {
    let errno = u16::from_le_bytes([packet[1], packet[2]]);
    let text = if packet.get(3) == Some(&b'#') { &packet[9..] } else { &packet[3..] };
    Outcome::Failed { errno, message: String::from_utf8_lossy(text).into_owned() }
}

/// A length-encoded number; `None` is NULL.
fn length(packet: &[u8], at: &mut usize) -> Option<u64> {
    let first = packet[*at];
    let bytes = match first {
        0xfb => 0,
        0xfc => 2,
        0xfd => 3,
        0xfe => 8,
        _ => 0,
    };
    let start = *at + 1;
    *at = start + bytes;
    match (first, bytes) {
        (0xfb, _) => None,
        (_, 0) => Some(u64::from(first)),
        _ => Some(packet[start..start + bytes].iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte))),
    }
}

fn text<'p>(packet: &'p [u8], at: &mut usize) -> Option<&'p [u8]> {
    let bytes = length(packet, at)? as usize;
    let start = *at;
    *at += bytes;
    Some(&packet[start..start + bytes])
}

const BINARY: u16 = 63;
const ENUM_FLAG: u16 = 0x100;
const SET_FLAG: u16 = 0x800;
const UNSIGNED_FLAG: u16 = 0x20;

fn type_name(number: u8, charset: u16, flags: u16) -> String {
    let name = match number {
        0 | 246 => "DECIMAL",
        1 => "TINYINT",
        2 => "SMALLINT",
        3 => "INT",
        4 => "FLOAT",
        5 => "DOUBLE",
        6 => "NULL",
        7 => "TIMESTAMP",
        8 => "BIGINT",
        9 => "MEDIUMINT",
        10 | 14 => "DATE",
        11 => "TIME",
        12 => "DATETIME",
        13 => "YEAR",
        16 => "BIT",
        242 => "VECTOR",
        245 => "JSON",
        247 => "ENUM",
        248 => "SET",
        249..=252 if charset == BINARY => "BLOB",
        249..=252 => "TEXT",
        15 | 253 if charset == BINARY => "VARBINARY",
        15 | 253 => "VARCHAR",
        254 if flags & ENUM_FLAG != 0 => "ENUM",
        254 if flags & SET_FLAG != 0 => "SET",
        254 if charset == BINARY => "BINARY",
        254 => "CHAR",
        255 => "GEOMETRY",
        _ => "UNKNOWN",
    };
    let unsigned = flags & UNSIGNED_FLAG != 0 && matches!(number, 0..=5 | 8 | 9 | 246);
    if unsigned { format!("{name} UNSIGNED") } else { name.to_owned() }
}
