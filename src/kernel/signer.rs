//! Message signatures: HMAC over the four JSON frames exactly as they travel (protocol: "The wire protocol").

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Sha256, Sha512};
use std::fmt;

/// A digest a connection file may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// `hmac-sha256`, what every front end uses.
    HmacSha256,
    /// `hmac-sha512`.
    HmacSha512,
}

/// Signs and checks the frames of one connection; an empty key means that nothing is signed.
#[derive(Clone)]
pub struct Signer(Keyed);

#[derive(Clone)]
enum Keyed {
    Unsigned,
    Sha256(Hmac<Sha256>),
    Sha512(Hmac<Sha512>),
}

impl Signer {
    /// A signer with the key of the connection file.
    pub fn new(scheme: Scheme, key: &[u8]) -> Signer {
        const ANY: &str = "HMAC takes a key of any length";
        Signer(match scheme {
            _ if key.is_empty() => Keyed::Unsigned,
            Scheme::HmacSha256 => Keyed::Sha256(Hmac::new_from_slice(key).expect(ANY)),
            Scheme::HmacSha512 => Keyed::Sha512(Hmac::new_from_slice(key).expect(ANY)),
        })
    }

    /// The hexadecimal signature frame of these JSON frames; empty without a key.
    pub fn sign(&self, frames: [&[u8]; 4]) -> String {
        match &self.0 {
            Keyed::Unsigned => String::new(),
            Keyed::Sha256(mac) => hex(&fed(mac, frames).finalize().into_bytes()),
            Keyed::Sha512(mac) => hex(&fed(mac, frames).finalize().into_bytes()),
        }
    }

    /// Whether `signature` belongs to these frames, compared in constant time.
    pub fn verifies(&self, frames: [&[u8]; 4], signature: &[u8]) -> bool {
        match (&self.0, unhex(signature)) {
            (Keyed::Unsigned, _) => true,
            (Keyed::Sha256(mac), Some(bytes)) => fed(mac, frames).verify_slice(&bytes).is_ok(),
            (Keyed::Sha512(mac), Some(bytes)) => fed(mac, frames).verify_slice(&bytes).is_ok(),
            (_, None) => false,
        }
    }
}

impl fmt::Debug for Signer {
    /// Never shows the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.0 {
            Keyed::Unsigned => "Signer(unsigned)",
            Keyed::Sha256(_) => "Signer(hmac-sha256)",
            Keyed::Sha512(_) => "Signer(hmac-sha512)",
        })
    }
}

fn fed<M: Mac + Clone>(mac: &M, frames: [&[u8]; 4]) -> M {
    let mut mac = mac.clone();
    for frame in frames {
        mac.update(frame);
    }
    mac
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

fn unhex(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    if !text.len().is_multiple_of(2) {
        return None;
    }
    text.chunks_exact(2).map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAMES: [&[u8]; 4] = [b"what do ya ", b"want ", b"for ", b"nothing?"];

    /// RFC 4231, test case 2: the digest of the joined frames.
    #[test]
    fn signatures_are_those_of_the_standard() {
        let sha256 = Signer::new(Scheme::HmacSha256, b"Jefe");
        assert_eq!(sha256.sign(FRAMES), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
        let sha512 = Signer::new(Scheme::HmacSha512, b"Jefe").sign(FRAMES);
        assert!(sha512.starts_with("164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"));
        assert_eq!(sha512.len(), 128);
    }

    #[test]
    fn one_changed_byte_is_noticed() {
        for scheme in [Scheme::HmacSha256, Scheme::HmacSha512] {
            let signer = Signer::new(scheme, b"key");
            let signature = signer.sign(FRAMES);
            assert!(signer.verifies(FRAMES, signature.as_bytes()));
            assert!(signer.verifies(FRAMES, signature.to_uppercase().as_bytes()));
            assert!(!signer.verifies([b"What do ya ", FRAMES[1], FRAMES[2], FRAMES[3]], signature.as_bytes()));
            assert!(!signer.verifies(FRAMES, &signature.as_bytes()[2..]));
            for nonsense in [&b""[..], b"zz", b"abc", "é".as_bytes()] {
                assert!(!signer.verifies(FRAMES, nonsense), "{nonsense:?}");
            }
        }
    }

    #[test]
    fn an_empty_key_signs_nothing_and_accepts_everything() {
        let signer = Signer::new(Scheme::HmacSha256, b"");
        assert_eq!(signer.sign(FRAMES), "");
        assert!(signer.verifies(FRAMES, b"") && signer.verifies(FRAMES, b"anything"));
        assert_eq!(format!("{signer:?}"), "Signer(unsigned)");
    }
}
