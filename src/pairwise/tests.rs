use super::*;
use grantlog_events::ClientId;
use proptest::prelude::*;

fn config(name_key: u8) -> Config {
    let key = |byte: u8| URL_SAFE_NO_PAD.encode([byte; 32]);
    let config = Config::read(|name| {
        Some(match name {
            "ISSUER" => "https://id.example".to_owned(),
            "OPERATOR_CLIENT_ID" => "operator".to_owned(),
            "OPERATOR_CLIENT_SECRET" => "secret".to_owned(),
            "NAME_KEY" => key(name_key),
            "KEK" | "LOG_KEY" => key(2),
            _ => return None,
        })
    });
    config.unwrap()
}

/// Names are kept by clients for good, so that neither key nor form may ever change.
#[test]
fn the_name_of_a_person_at_a_sector_is_for_ever() {
    let name = encode(&config(1), "app.example", &Subject::born(1, [7; 16])).unwrap();
    assert_eq!(name, "p-WGXs6syoqLXNukmnmVEPq863LMiRBdAqP-V-WlG18IbRYyViCkChYfXJ6SQ");
}

#[test]
fn a_client_is_named_alike_everywhere_and_a_person_only_where_no_sector_is() {
    let config = config(1);
    let (person, client) = (Subject::born(1, [7; 16]), ClientId::parse("c-1").unwrap());
    let known_as = |sector, party: &Party| word_sub(&config, sector, party);
    assert_eq!(known_as(None, &Party::Subject(person.clone())), person.to_string());
    assert_eq!(known_as(Some("a.example"), &Party::Client(client.clone())), "c-1");
    let pairwise = known_as(Some("a.example"), &Party::Subject(person.clone()));
    assert!(is_pairwise(&pairwise) && !pairwise.contains(person.as_str()));
    for (sub, party) in [
        (pairwise.as_str(), Party::Subject(person.clone())),
        (person.as_str(), Party::Subject(person.clone())),
        ("c-1", Party::Client(client)),
    ] {
        assert_eq!(read_sub(&config, sub), Some(party), "{sub}");
    }
}

#[test]
fn what_only_looks_like_a_pairwise_name_is_nobodys() {
    let config = config(1);
    for made_up in ["p-", "p-AAAA", &format!("p-{}", URL_SAFE_NO_PAD.encode([0; 44])), "p-\u{e9}", "p-=="] {
        assert_eq!(read_sub(&config, made_up), None, "{made_up}");
    }
}

proptest! {
    #[test]
    fn a_name_leads_back_to_its_person_and_only_under_its_key(
        epoch in any::<u32>(), random in any::<[u8; 16]>(), sector in "[a-z0-9.]{1,80}",
    ) {
        let (config, subject) = (config(1), Subject::born(epoch, random));
        let name = encode(&config, &sector, &subject).unwrap();
        prop_assert_eq!(encode(&config, &sector, &subject), Some(name.clone()));
        prop_assert_eq!(decode(&config, &name), Some(subject));
        prop_assert_eq!(decode(&super::tests::config(9), &name), None);
    }

    #[test]
    fn two_sectors_know_one_person_and_one_sector_two_persons_by_names_of_nothing_in_common(
        random in any::<[u8; 16]>(), other in any::<[u8; 16]>(),
    ) {
        prop_assume!(random != other);
        let config = config(1);
        let known = |sector: &str, random| {
            URL_SAFE_NO_PAD.decode(&encode(&config, sector, &Subject::born(1, random)).unwrap()[2..]).unwrap()
        };
        let here = known("a.example", random);
        for elsewhere in [known("b.example", random), known("a.example", other)] {
            prop_assert!(here.iter().zip(&elsewhere).filter(|(a, b)| a == b).count() < 8);
        }
    }

    #[test]
    fn a_name_with_any_byte_changed_or_cut_is_nobodys(at in 0_usize..44, bit in 0_u8..8) {
        let config = config(1);
        let name = encode(&config, "a.example", &Subject::born(1, [7; 16])).unwrap();
        let mut bytes = URL_SAFE_NO_PAD.decode(&name[2..]).unwrap();
        prop_assert_eq!(bytes.len(), 44);
        prop_assert_eq!(decode(&config, &format!("p-{}", URL_SAFE_NO_PAD.encode(&bytes[..at]))), None);
        bytes[at] ^= 1 << bit;
        prop_assert_eq!(decode(&config, &format!("p-{}", URL_SAFE_NO_PAD.encode(bytes))), None);
    }
}
