//! Tokens out of nowhere, and good ones mangled: none panics, none verifies.

use super::{
    access_tokens::token,
    stage::{ISSUER, Stage, encode, run},
};
use crate::jose::{access_token, assertion, jwks, thumbprint};
use grantlog_events::key::Algorithm;
use proptest::prelude::*;

thread_local! {
    static STAGE: (Stage, String) = {
        let stage = Stage::new();
        let token = token(&stage, Algorithm::EdDsa);
        (stage, token)
    };
}

fn verifies(token: &str) -> bool {
    STAGE.with(|(stage, _)| {
        let expected = assertion::Expected { issuer: ISSUER, audiences: &[ISSUER] };
        let set = run(crate::jose::ring::ring(stage)).unwrap().jwks().to_owned();
        let asserted = run(assertion::verify(stage, &set, token, &expected)).is_ok();
        let _ = (assertion::peek_issuer(token), assertion::peek_subject(token));
        run(access_token::verify(stage, token)).is_ok() || asserted
    })
}

fn good() -> String {
    STAGE.with(|(_, token)| token.clone())
}

proptest! {
    #[test]
    fn random_text_does_not_verify(text in "\\PC{0,200}") {
        prop_assert!(!verifies(&text));
        let _ = (jwks::validate(&text), thumbprint(&text));
    }

    #[test]
    fn random_parts_do_not_verify(header in any::<Vec<u8>>(), claims in any::<Vec<u8>>(), signature in any::<Vec<u8>>()) {
        prop_assert!(!verifies(&[header, claims, signature].map(|part| encode(&part)).join(".")));
    }

    #[test]
    fn random_json_under_a_good_header_does_not_verify(claims in "\\{(\"[a-z]{1,3}\":[0-9]{1,20},?){0,5}\\}") {
        let good = good();
        let [header, _, signature] = good.split('.').collect::<Vec<_>>().try_into().unwrap();
        let mangled = format!("{header}.{}.{signature}", encode(claims.as_bytes()));
        prop_assert!(!verifies(&mangled));
    }

    #[test]
    fn a_good_token_with_one_byte_replaced_does_not_verify(at in any::<prop::sample::Index>(), byte in 0_u8..128) {
        let mut bytes = good().into_bytes();
        let at = at.index(bytes.len());
        prop_assume!(bytes[at] != byte);
        bytes[at] = byte;
        prop_assert!(!verifies(std::str::from_utf8(&bytes).unwrap()));
    }

    #[test]
    fn a_good_token_cut_and_joined_does_not_verify(from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>()) {
        let good = good();
        let (from, to) = (from.index(good.len()), to.index(good.len()));
        prop_assume!(from != to);
        let joined = [&good[..from], &good[to..]].concat();
        prop_assert!(!verifies(&joined));
    }
}

#[test]
fn the_token_that_is_mangled_was_good() {
    assert!(verifies(&good()));
}
