//! Sends two events of each person by PostHog's client for Rust.
use chrono::{DateTime, Duration, Utc};
use posthog_rs::{client, ClientOptionsBuilder, Event};
use serde_json::{json, Value};

fn event(name: &str, person: i64, at: DateTime<Utc>, own: Value) -> Event {
    let mut event = Event::new(name.to_string(), format!("user-{person}"));
    let device = json!({
        "$os_name": "iOS", "$os_version": "18.1", "$app_version": "1.4.0",
        "$locale": "de-DE", "$geoip_country_code": "DE",
        "$device_id": format!("device-{person:04}"),
    });
    for (key, value) in [device, own].iter().filter_map(Value::as_object).flatten() {
        event.insert_prop(key, value).expect("a property");
    }
    event.set_timestamp(at).expect("a time");
    event
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let people: i64 = words[3].parse().expect("a number");
    let begin: DateTime<Utc> = words[4].parse().expect("a time");
    let options = ClientOptionsBuilder::default()
        .host(format!("{}/v1/posthog", words[1]))
        .api_key(words[2].clone())
        .build()
        .expect("options");
    let analytics = client(options);
    let mut waiting = Vec::new();
    for person in 0..people {
        let at = begin + Duration::seconds(person);
        waiting.push(event("Application Opened", person, at, json!({"from": "push", "person": person})));
        let bought = json!({"plan": "year", "items": ["a"]});
        waiting.push(event("Purchase Completed", person, at + Duration::seconds(60), bought));
        if person % 25 == 24 {
            // The client gives up after three tries; it says so.
            while analytics.capture_batch_immediate(waiting.clone(), false).is_err() {
                std::thread::sleep(std::time::Duration::from_millis(500));
            }
            waiting.clear();
            println!("{}", person + 1);
        }
    }
    analytics.shutdown();
}
