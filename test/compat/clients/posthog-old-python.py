"""Sends two events of each person by a client of PostHog for Python of two years ago."""

import sys
from datetime import datetime, timedelta, timezone

from posthog import Posthog

host, api_key, people, begin = sys.argv[1:5]

analytics = Posthog(
    api_key,
    host=f"{host}/v1/posthog",
    flush_at=50,
    flush_interval=0.2,
    max_retries=60,
    timeout=10,
    disable_geoip=False,
)
device = {
    "$os_name": "iOS",
    "$os_version": "18.1",
    "$app_version": "1.4.0",
    "$locale": "de-DE",
    "$geoip_country_code": "DE",
}
start = datetime.fromisoformat(begin.replace("Z", "+00:00")).astimezone(timezone.utc)

for person in range(int(people)):
    at = start + timedelta(seconds=person)
    own = {**device, "$device_id": f"device-{person:04d}"}
    analytics.capture(
        f"user-{person}",
        "Application Opened",
        {**own, "from": "push", "person": person},
        timestamp=at,
    )
    analytics.capture(
        f"user-{person}",
        "Purchase Completed",
        {**own, "plan": "year", "items": ["a"]},
        timestamp=at + timedelta(seconds=60),
    )
    if person % 25 == 24:
        analytics.flush()
        print(person + 1, flush=True)
analytics.shutdown()
