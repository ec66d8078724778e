//! The examples in the RFCs.

use super::stage::run;
use crate::{
    config::Secret,
    jose::{compact::Compact, thumbprint},
    memory::SoftwareKeys,
    ports::Keys,
};
use grantlog_events::key::Algorithm;

/// RFC 7515 A.2.
const RSA_KEY: &str = r#"{"kty":"RSA","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ","e":"AQAB"}"#;
const RSA_TOKEN: &str = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw";

/// RFC 7515 A.3.
const EC_KEY: &str = r#"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#;
const EC_TOKEN: &str = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";

/// RFC 8037 A.
const ED_KEY: &str = r#"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
const ED_TOKEN: &str = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";

/// RFC 7638 §3.1.
const THUMBED_KEY: &str = r#"{"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw","e":"AQAB","alg":"RS256","kid":"2011-04-29"}"#;

fn verifies(algorithm: Algorithm, jwk: &str, token: &str) -> bool {
    let keys = SoftwareKeys::new(&Secret([0; 32]), None);
    let token = Compact::parse(token).unwrap();
    assert_eq!(token.algorithm, algorithm);
    let key = run(keys.import(algorithm, jwk)).unwrap().unwrap();
    run(keys.verify(&key, token.message(), &token.signature)).unwrap()
}

#[test]
fn the_signatures_in_the_rfcs_verify() {
    assert!(verifies(Algorithm::Rs256, RSA_KEY, RSA_TOKEN));
    assert!(verifies(Algorithm::Es256, EC_KEY, EC_TOKEN));
    assert!(verifies(Algorithm::EdDsa, ED_KEY, ED_TOKEN));
}

#[test]
fn the_signatures_in_the_rfcs_are_nothing_under_another_message() {
    for (algorithm, jwk, token) in [
        (Algorithm::Rs256, RSA_KEY, RSA_TOKEN),
        (Algorithm::Es256, EC_KEY, EC_TOKEN),
        (Algorithm::EdDsa, ED_KEY, ED_TOKEN),
    ] {
        let (signed, signature) = token.rsplit_once('.').unwrap();
        assert!(!verifies(algorithm, jwk, &format!("{signed}AAAA.{signature}")));
    }
}

#[test]
fn thumbprints_are_those_of_the_rfcs() {
    assert_eq!(thumbprint(THUMBED_KEY).unwrap().as_str(), "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs");
    assert_eq!(thumbprint(ED_KEY).unwrap().as_str(), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    assert_eq!(thumbprint(r#"{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMko"}"#), None);
}

#[test]
fn a_point_off_the_curve_is_no_key() {
    let keys = SoftwareKeys::new(&Secret([0; 32]), None);
    let off = EC_KEY.replace("x_FEzRu9", "x_FEzRu8");
    assert!(run(keys.import(Algorithm::Es256, &off)).unwrap().is_none());
    assert!(run(keys.import(Algorithm::EdDsa, EC_KEY)).unwrap().is_none());
}
