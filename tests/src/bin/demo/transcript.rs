//! The transcript: numbered steps, what was asked, what came, and a mark for each thing that holds.

use grantlog_tests::Answer;
use std::{
    io::{self, Write},
    panic::{self, AssertUnwindSafe},
    process,
    time::Instant,
};

/// A transcript being printed.
pub(crate) struct Transcript {
    steps: u32,
    held: u32,
    begun: Instant,
    calls: Vec<(String, String)>,
}

/// One step's lines.
pub(crate) struct Told<'a> {
    transcript: &'a mut Transcript,
    out: io::Stdout,
}

impl Transcript {
    pub(crate) fn begin(title: &str) -> Self {
        println!("\n{title}\n");
        panic::set_hook(Box::new(|_| {}));
        Self { steps: 0, held: 0, begun: Instant::now(), calls: Vec::new() }
    }

    /// Tells one step; ends the program if it does not hold.
    pub(crate) fn step<T>(&mut self, title: &str, step: impl FnOnce(&mut Told) -> T) -> T {
        self.steps += 1;
        println!("{:>2}. {title}", self.steps);
        let number = self.steps;
        let done = panic::catch_unwind(AssertUnwindSafe(|| step(&mut Told { transcript: self, out: io::stdout() })));
        println!();
        done.unwrap_or_else(|fault| {
            eprintln!("Step {number} ({title}) does not hold: {}", sentence(fault.as_ref()));
            process::exit(1);
        })
    }

    /// The numbers, and the verdict.
    pub(crate) fn end(self) {
        if !self.calls.is_empty() {
            println!("Calls to logs and views per request, those made in parallel too:");
            for (request, calls) in &self.calls {
                println!("    {request:<34} {calls}");
            }
            println!();
        }
        println!("{} steps, {} checks, all hold; {:.1} s", self.steps, self.held, self.begun.elapsed().as_secs_f32());
    }
}

impl Told<'_> {
    pub(crate) fn asked(&mut self, request: &str) {
        self.line('→', request);
    }

    pub(crate) fn came(&mut self, answer: &str) {
        for line in answer.lines() {
            self.line('←', line);
        }
    }

    /// Checks one thing, in words.
    pub(crate) fn holds(&mut self, words: &str, condition: bool) {
        assert!(condition, "{words}");
        self.transcript.held += 1;
        self.line('✓', words);
    }

    /// Remembers how many remote calls the request took and how many rows it wrote, if the server says so.
    pub(crate) fn counted(&mut self, request: &str, answer: &Answer) {
        let (calls, rows) = (answer.header("grantlog-calls"), answer.header("grantlog-rows"));
        if !calls.is_empty() {
            self.transcript.calls.push((request.to_owned(), format!("{calls} ({rows} rows)")));
        }
    }

    fn line(&mut self, mark: char, text: &str) {
        writeln!(self.out, "      {mark} {text}").expect("the transcript can be written");
    }
}

fn sentence(fault: &(dyn std::any::Any + Send)) -> String {
    let text = fault.downcast_ref::<String>().map(String::as_str).or_else(|| fault.downcast_ref::<&str>().copied());
    text.unwrap_or("it panicked").to_owned()
}
