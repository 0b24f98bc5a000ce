"""Sends two events of each person by PostHog's client for Python."""

import sys
from datetime import datetime, timedelta, timezone

from posthog import Posthog

host, api_key, people, begin, mode = sys.argv[1:6]


def on_phone(message):
    """The client names the system that it runs on."""
    properties = {**message["properties"], "$os_version": "18.1"}
    return {**message, "properties": properties}


analytics = Posthog(
    api_key,
    host=f"{host}/v1/posthog",
    flush_at=50,
    flush_interval=0.2,
    max_retries=60,
    timeout=10,
    before_send=on_phone,
    capture_mode=mode,
)
device = {
    "$os_name": "iOS",
    "$app_version": "1.4.0",
    "$locale": "de-DE",
    "$geoip_country_code": "DE",
}
start = datetime.fromisoformat(begin.replace("Z", "+00:00")).astimezone(timezone.utc)

for person in range(int(people)):
    at = start + timedelta(seconds=person)
    own = {**device, "$device_id": f"device-{person:04d}"}
    analytics.capture(
        "Application Opened",
        distinct_id=f"user-{person}",
        properties={**own, "from": "push", "person": person},
        timestamp=at,
    )
    analytics.capture(
        "Purchase Completed",
        distinct_id=f"user-{person}",
        properties={**own, "plan": "year", "items": ["a"]},
        timestamp=at + timedelta(seconds=60),
    )
    if person % 25 == 24:
        analytics.flush()
        print(person + 1, flush=True)
analytics.shutdown()
