//! The process that listens on a port, and the time it has spent working.

use crate::Failure;
use std::{fs, os::unix::ffi::OsStrExt, time::Duration};

/// Linux tells times of processes in hundredths of a second, whatever the kernel counts in.
const TICK: Duration = Duration::from_millis(10);

/// `TCP_LISTEN` in `/proc/net/tcp`.
const LISTENING: &str = "0A";

/// A workerd; node, which started it, is another process and does not count.
#[derive(Clone, Copy)]
pub(crate) struct Workerd {
    pid: u32,
}

impl Workerd {
    /// The process that listens on this port of the loopback interface.
    pub(crate) fn listening_on(port: u16) -> Result<Self, Failure> {
        let socket = format!("socket:[{}]", socket_of(port)?);
        for entry in fs::read_dir("/proc")?.flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
            // Processes of others, and those that have just ended, are not the one.
            let Ok(files) = fs::read_dir(entry.path().join("fd")) else { continue };
            let mut links = files.flatten().filter_map(|file| fs::read_link(file.path()).ok());
            if links.any(|link| link.as_os_str().as_bytes() == socket.as_bytes()) {
                return Ok(Self { pid });
            }
        }
        Err(format!("no process of ours listens on port {port}").into())
    }

    /// User and system time of all its threads until now.
    pub(crate) fn cpu(self) -> Result<Duration, Failure> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.pid))?;
        // The name may hold anything but ends with the last parenthesis; utime and stime are 14 and 15.
        let (_, rest) = stat.rsplit_once(')').ok_or("an unreadable /proc/…/stat")?;
        let ticks: Vec<u32> = rest.split_whitespace().skip(11).take(2).filter_map(|field| field.parse().ok()).collect();
        match ticks.as_slice() {
            [user, system] => Ok(TICK * (user + system)),
            _ => Err("an unreadable /proc/…/stat".into()),
        }
    }
}

/// The inode of the socket that listens on a port.
fn socket_of(port: u16) -> Result<String, Failure> {
    let table = fs::read_to_string("/proc/net/tcp")?;
    let local = format!(":{port:04X}");
    let inode = table.lines().find_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let listens = fields.get(1)?.ends_with(&local) && *fields.get(3)? == LISTENING;
        listens.then(|| fields.get(9).map(|inode| (*inode).to_owned()))?
    });
    inode.ok_or_else(|| format!("nobody listens on port {port}").into())
}
