//! Messages and their frames: `[identities..., "<IDS|MSG>", signature, header, parent, metadata, content, buffers...]`.
//!
//! Reading never panics, whatever arrives; what cannot be read is an error that the owner of the socket logs and drops.
//! The signature is checked over the frames as received, before any of them is parsed.

use super::signer::Signer;
use serde_json::{Map, Value, json};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The version of the messaging protocol that we announce.
pub const PROTOCOL_VERSION: &str = "5.5";

const DELIMITER: &[u8] = b"<IDS|MSG>";

/// A request as it arrived, checked and parsed.
#[derive(Clone, Debug)]
pub struct Request {
    /// Routing prefix of the sender, sent back with the reply.
    pub identities: Vec<Vec<u8>>,
    /// `msg_type` of the header.
    pub kind: String,
    /// What replies and output of this request carry as parent.
    pub parent: Parent,
    /// The content object.
    pub content: Map<String, Value>,
}

/// The header of a request, as the JSON text it came in; cheap to clone and to send back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parent(Arc<[u8]>);

impl Parent {
    /// No request: output of the kernel itself.
    pub fn none() -> Parent {
        Parent(Arc::from(&b"{}"[..]))
    }
}

/// Something to send, without its identity yet.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// `msg_type` of the header.
    pub kind: &'static str,
    /// The request that caused it.
    pub parent: Parent,
    /// The metadata object.
    pub metadata: Value,
    /// The content object.
    pub content: Value,
}

impl Outgoing {
    /// A message without metadata.
    pub fn new(kind: &'static str, parent: &Parent, content: Value) -> Outgoing {
        Outgoing { kind, parent: parent.clone(), metadata: json!({}), content }
    }
}

/// Why received frames are not a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadFrames {
    /// There is no delimiter frame.
    NoDelimiter,
    /// Frames are missing behind the delimiter.
    TooFew,
    /// The signature does not belong to the frames.
    BadSignature,
    /// A frame is not a JSON object.
    NotAnObject(&'static str),
    /// The header has no `msg_type`.
    NoKind,
}

impl fmt::Display for BadFrames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadFrames::NoDelimiter => f.write_str("no <IDS|MSG> delimiter"),
            BadFrames::TooFew => f.write_str("fewer than five frames behind the delimiter"),
            BadFrames::BadSignature => f.write_str("wrong signature"),
            BadFrames::NotAnObject(which) => write!(f, "the {which} is not a JSON object"),
            BadFrames::NoKind => f.write_str("the header has no msg_type"),
        }
    }
}

/// Checks and parses the frames of one message.
pub fn decode(frames: Vec<Vec<u8>>, signer: &Signer) -> Result<Request, BadFrames> {
    let delimiter = frames.iter().position(|frame| frame == DELIMITER).ok_or(BadFrames::NoDelimiter)?;
    let mut frames = frames.into_iter();
    let identities: Vec<Vec<u8>> = frames.by_ref().take(delimiter).collect();
    let rest: Vec<Vec<u8>> = frames.skip(1).collect();
    // Binary attachments may follow; nothing that is offered here takes any.
    let [signature, header, parent, metadata, content, ..] = rest.as_slice() else {
        return Err(BadFrames::TooFew);
    };
    if !signer.verifies([header, parent, metadata, content], signature) {
        return Err(BadFrames::BadSignature);
    }
    let fields = object(header, "header")?;
    let Some(Value::String(kind)) = fields.get("msg_type") else {
        return Err(BadFrames::NoKind);
    };
    object(parent, "parent header")?;
    Ok(Request {
        identities,
        kind: kind.clone(),
        parent: Parent(Arc::from(header.as_slice())),
        content: object(content, "content")?,
    })
}

fn object(frame: &[u8], which: &'static str) -> Result<Map<String, Value>, BadFrames> {
    serde_json::from_slice(frame).map_err(|_| BadFrames::NotAnObject(which))
}

/// Gives outgoing messages their headers and signatures; one per process, shared by all threads.
///
/// Front ends reject a signature that they have seen before, so every sending gets a message number of its own.
pub struct Encoder {
    signer: Signer,
    session: String,
    username: String,
    sent: AtomicU64,
}

impl Encoder {
    /// An encoder whose messages carry this process's own session identity, by which front ends notice a restart.
    pub fn new(signer: Signer) -> Encoder {
        let session = uuid::Uuid::new_v4().to_string();
        let username = std::env::var("USER").unwrap_or_else(|_| "cellhold".into());
        Encoder { signer, session, username, sent: AtomicU64::new(0) }
    }

    /// This process's session identity.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// How received messages are checked.
    pub fn signer(&self) -> &Signer {
        &self.signer
    }

    /// The frames of a message, behind its routing prefix (identities, or a topic on iopub).
    pub fn encode(&self, prefix: &[Vec<u8>], message: &Outgoing) -> Vec<Vec<u8>> {
        let number = self.sent.fetch_add(1, Ordering::Relaxed);
        let header = json!({
            "msg_id": format!("{}_{number}", self.session),
            "session": self.session,
            "username": self.username,
            "date": now(),
            "msg_type": message.kind,
            "version": PROTOCOL_VERSION,
        })
        .to_string()
        .into_bytes();
        let metadata = message.metadata.to_string().into_bytes();
        let content = message.content.to_string().into_bytes();
        let signature = self.signer.sign([&header, &message.parent.0, &metadata, &content]).into_bytes();
        let mut frames = prefix.to_vec();
        frames.extend([DELIMITER.to_vec(), signature, header, message.parent.0.to_vec(), metadata, content]);
        frames
    }
}

/// The present in ISO 8601 with its zone, which the header must carry since protocol 5.1.
fn now() -> String {
    format!("{:.6}", jiff::Timestamp::now())
}

#[cfg(test)]
mod tests {
    use super::super::signer::Scheme;
    use super::*;
    use proptest::prelude::*;

    fn signer() -> Signer {
        Signer::new(Scheme::HmacSha256, b"secret")
    }

    fn encoded(prefix: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let message = Outgoing::new("execute_request", &Parent::none(), json!({"code": "é = '𝛑'"}));
        Encoder::new(signer()).encode(prefix, &message)
    }

    #[test]
    fn what_is_encoded_decodes_to_the_same() {
        let prefix = vec![b"identity".to_vec(), vec![0, 1, 2]];
        let mut frames = encoded(&prefix);
        frames.push(vec![0, 255, 1]);
        let request = decode(frames, &signer()).unwrap();
        assert_eq!(request.identities, prefix);
        assert_eq!(request.kind, "execute_request");
        assert_eq!(request.content["code"], "é = '𝛑'");
    }

    #[test]
    fn a_reply_carries_the_header_byte_for_byte() {
        let frames = encoded(&[]);
        let header = frames[2].clone();
        let request = decode(frames, &signer()).unwrap();
        let reply = Encoder::new(signer()).encode(&[], &Outgoing::new("execute_reply", &request.parent, json!({})));
        assert_eq!(reply[3], header);
    }

    #[test]
    fn no_two_messages_are_equal() {
        let encoder = Encoder::new(signer());
        let message = Outgoing::new("status", &Parent::none(), json!({"execution_state": "idle"}));
        let signatures: std::collections::HashSet<Vec<u8>> =
            (0..10_000).map(|_| encoder.encode(&[], &message).swap_remove(1)).collect();
        assert_eq!(signatures.len(), 10_000);
    }

    #[test]
    fn the_date_has_microseconds_and_a_zone() {
        let date = now();
        assert!(date.ends_with('Z') && date.len() == "2026-11-29T12:00:00.000000Z".len(), "{date}");
    }

    #[test]
    fn each_defect_is_named() {
        let good = encoded(&[b"id".to_vec()]);
        let broken = |change: fn(&mut Vec<Vec<u8>>)| {
            let mut frames = good.clone();
            change(&mut frames);
            decode(frames, &signer()).map(|request| request.kind)
        };
        assert_eq!(broken(|frames| frames[1] = b"<IDS|MSG".to_vec()), Err(BadFrames::NoDelimiter));
        assert_eq!(broken(|frames| frames.truncate(6)), Err(BadFrames::TooFew));
        assert_eq!(broken(|frames| frames[2][0] ^= 1), Err(BadFrames::BadSignature));
        assert_eq!(broken(|frames| frames[6].push(b' ')), Err(BadFrames::BadSignature));
        assert_eq!(broken(Vec::clear), Err(BadFrames::NoDelimiter));
        let unsigned = |frames: [&str; 5]| {
            let frames = [&["<IDS|MSG>"][..], &frames[..]].concat().into_iter().map(|frame| frame.as_bytes().to_vec());
            decode(frames.collect(), &Signer::new(Scheme::HmacSha256, b"")).map(|request| request.kind)
        };
        assert_eq!(unsigned(["", r#"{"msg_type": "x"}"#, "{}", "{}", "[]"]), Err(BadFrames::NotAnObject("content")));
        assert_eq!(unsigned(["", r#"{"msg_type": 5}"#, "{}", "{}", "{}"]), Err(BadFrames::NoKind));
        assert_eq!(unsigned(["", "nonsense", "{}", "{}", "{}"]), Err(BadFrames::NotAnObject("header")));
        assert_eq!(unsigned(["", r#"{"msg_type": "x"}"#, "{}", "{}", "{}"]), Ok("x".into()));
    }

    /// Frames near to real ones: some valid, some cut, some noise, in any order.
    fn any_frame() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            Just(DELIMITER.to_vec()),
            Just(br#"{"msg_type": "execute_request", "msg_id": "1"}"#.to_vec()),
            Just(b"{}".to_vec()),
            Just(b"".to_vec()),
            Just(b"[[[[[[".to_vec()),
            Just("[".repeat(100_000).into_bytes()),
            Just(b"{\"a\": \"\\ud800\"}".to_vec()),
            proptest::collection::vec(any::<u8>(), 0..40),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]
        #[test]
        fn random_frames_never_panic(frames in proptest::collection::vec(any_frame(), 0..9), keyed in any::<bool>()) {
            let signer = Signer::new(Scheme::HmacSha256, if keyed { b"k" } else { b"" });
            if let Ok(request) = decode(frames, &signer) {
                prop_assert!(!keyed, "nothing here is signed");
                prop_assert_eq!(request.kind, "execute_request");
            }
        }
    }
}
