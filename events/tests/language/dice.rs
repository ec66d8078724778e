//! Entropy as bytes that shrink: a test case is a byte string, and what runs out of bytes rolls zeros.

use grantlog_events::{ClientId, Kid, Subject};

/// Reads choices from a byte string.
pub struct Dice {
    bytes: std::vec::IntoIter<u8>,
}

impl Dice {
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { bytes: bytes.into_iter() }
    }

    pub fn is_spent(&self) -> bool {
        self.bytes.len() == 0
    }

    pub fn byte(&mut self) -> u8 {
        self.bytes.next().unwrap_or(0)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound.max(1)
    }

    pub fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// Mostly small, and of every width.
    pub fn number(&mut self) -> u64 {
        match self.byte() % 8 {
            0..=3 => u64::from(self.byte() % 8),
            4 => u64::from(self.byte()),
            5 => u64::from(u16::from_be_bytes([self.byte(), self.byte()])),
            6 => u64::from(u32::from_be_bytes([self.byte(), self.byte(), self.byte(), self.byte()])),
            _ => u64::MAX - u64::from(self.byte()),
        }
    }

    pub fn array<const N: usize>(&mut self) -> [u8; N] {
        let (seed, step) = (self.byte() % 4, self.byte());
        let mut byte = seed;
        [(); N].map(|()| {
            byte = byte.wrapping_add(step);
            byte
        })
    }

    pub fn text(&mut self) -> String {
        let length = match self.byte() % 8 {
            0 => 0,
            1 => 23,
            2 => 24,
            3 => 260,
            _ => self.below(12),
        };
        (0..length).map(|_| self.pick(&['a', 'z', '/', ':', ' ', 'é', '日', '\u{10151}'])).collect()
    }

    pub fn client(&mut self) -> ClientId {
        ClientId::parse(["a", "b", "app-1", "x.y:z~_"][self.below(4)]).unwrap()
    }

    pub fn kid(&mut self) -> Kid {
        Kid::parse(["k1", "k2", "k3"][self.below(3)]).unwrap()
    }

    pub fn subject(&mut self) -> Subject {
        Subject::born(1, [u8::try_from(self.below(3)).unwrap(); 16])
    }
}
