//! `_binary`: bytes as text and digests of bytes, behind `binascii`, `base64` and `hashlib`, whose faces are written in the
//! language itself.

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use sha2::Digest;

use super::support::{bytes_of, new_module};
use crate::lang::heap::Ref;
use crate::lang::native::{Args, method};
use crate::lang::objects::{BytesObject, ModuleObject};
use crate::lang::raise::{Fallible, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Builds `_binary`.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    Ok(new_module(
        "_binary",
        "Bytes as text and digests of bytes.",
        &[
            method("encode64", "(data, urlsafe)", "Base64 without line ends.", |vm, args| {
                let data = data(vm, args, 0)?;
                vm.reserve(data.len() / 3 * 4 + 4)?;
                let urlsafe = args.get(vm, 1);
                Ok(bytes(engine(vm.truth(&urlsafe)?).encode(data).into_bytes()))
            }),
            method("decode64", "(data, urlsafe)", "The bytes of Base64 that has nothing else in it.", |vm, args| {
                let data = data(vm, args, 0)?;
                let urlsafe = args.get(vm, 1);
                let decoded = engine(vm.truth(&urlsafe)?).decode(data);
                Ok(bytes(decoded.map_err(|error| value_error(error.to_string()))?))
            }),
            method("crc32", "(data, crc)", "The CRC-32 of data, going on from an earlier one.", |vm, args| {
                let data = data(vm, args, 0)?;
                let before = args.get(vm, 1);
                let mut crc = crc32fast::Hasher::new_with_initial(vm.index(&before)? as u32);
                crc.update(&data);
                Ok(Value::Int(i64::from(crc.finalize())))
            }),
            method(
                "digest",
                "(name, data)",
                "The digest of data by an algorithm; ValueError for an unknown one.",
                digest,
            ),
        ],
    ))
}

/// Padding and bits left over are looked at by the callers as CPython does, so the engine takes both as they come.
fn engine(urlsafe: bool) -> GeneralPurpose {
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical)
        .with_decode_allow_trailing_bits(true);
    GeneralPurpose::new(if urlsafe { &alphabet::URL_SAFE } else { &alphabet::STANDARD }, config)
}

fn data(vm: &Vm, args: Args, index: usize) -> Fallible<Vec<u8>> {
    let value = args.peek(vm, index);
    bytes_of(value).ok_or_else(|| type_error(format!("a bytes-like object is required, not '{}'", value.type_name())))
}

fn bytes(data: Vec<u8>) -> Value {
    Value::Bytes(Ref::new(BytesObject::new(data)))
}

fn digest(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let name = args.text(vm, 0, "name")?;
    let data = data(vm, args, 1)?;
    Ok(bytes(match &*name {
        "md5" => md5::Md5::digest(&data).to_vec(),
        "sha1" => sha1::Sha1::digest(&data).to_vec(),
        "sha224" => sha2::Sha224::digest(&data).to_vec(),
        "sha256" => sha2::Sha256::digest(&data).to_vec(),
        "sha384" => sha2::Sha384::digest(&data).to_vec(),
        "sha512" => sha2::Sha512::digest(&data).to_vec(),
        other => return Err(value_error(format!("unsupported hash type {other}"))),
    }))
}
