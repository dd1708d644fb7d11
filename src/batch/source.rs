//! The text of a script: its bytes decoded as Python decodes them, or what is wrong with them and where.

/// Decodes a script. The first two lines may declare an encoding (`# coding: latin-1`); without one it is UTF-8.
pub(super) fn decode(bytes: Vec<u8>) -> Result<String, String> {
    let declared = bytes.split(|byte| *byte == b'\n').take(2).enumerate().find_map(|(index, line)| {
        let name = declared_encoding(line)?;
        Some((index + 1, name))
    });
    match declared.as_ref().map(|(line, name)| (line, name.to_ascii_lowercase().replace('_', "-"))) {
        Some((_, name)) if matches!(name.as_str(), "latin-1" | "iso-8859-1" | "iso-latin-1" | "latin1") => {
            Ok(bytes.iter().map(|byte| char::from(*byte)).collect())
        }
        Some((line, name)) if !matches!(name.as_str(), "utf-8" | "utf8" | "utf-8-sig" | "ascii" | "us-ascii") => {
            Err(format!("line {line}: the encoding {name} is not known here; save the file as UTF-8"))
        }
        _ => String::from_utf8(bytes).map_err(|error| {
            let problem = not_utf8(error.as_bytes(), error.utf8_error().valid_up_to());
            let remedy = if declared.is_none() { " or declare another encoding in its first line" } else { "" };
            format!("{problem}; save the file as UTF-8{remedy}")
        }),
    }
}

/// Names the line and the byte that is not UTF-8.
fn not_utf8(bytes: &[u8], at: usize) -> String {
    let line = bytes[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
    format!("line {line}: the byte 0x{:02x} is not UTF-8", bytes[at])
}

/// The encoding that a comment line declares, as PEP 263 has it.
fn declared_encoding(line: &[u8]) -> Option<String> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii_start();
    if line.first() != Some(&b'#') {
        return None;
    }
    let at = line.windows(7).position(|word| word == b"coding:" || word == b"coding=")?;
    let rest = line[at + 7..].trim_ascii_start();
    let len = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')).count();
    (len > 0).then(|| String::from_utf8_lossy(&rest[..len]).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_utf8_or_what_they_declare() {
        let text = |bytes: &[u8]| decode(bytes.to_vec());
        assert_eq!(text("print('é')\n".as_bytes()).unwrap(), "print('é')\n");
        assert_eq!(text(b"# -*- coding: latin-1 -*-\nprint('\xe9')\n").unwrap().lines().nth(1), Some("print('é')"));
        assert_eq!(
            text(b"#!/bin/x\n# vim: set fileencoding=iso-8859-1 :\n'\xe9'").unwrap().lines().last(),
            Some("'é'")
        );
        assert_eq!(
            text(b"a = 1\nprint('\xe9')\n").unwrap_err(),
            "line 2: the byte 0xe9 is not UTF-8; save the file as UTF-8 or declare another encoding in its first line"
        );
        assert_eq!(
            text(b"# coding: utf-8\n'\xff'").unwrap_err(),
            "line 2: the byte 0xff is not UTF-8; save the file as UTF-8"
        );
        assert_eq!(
            text(b"\n# coding=klingon\n").unwrap_err(),
            "line 2: the encoding klingon is not known here; save the file as UTF-8"
        );
        assert_eq!(text(b"x = '# coding: klingon'\n").unwrap(), "x = '# coding: klingon'\n");
    }
}
