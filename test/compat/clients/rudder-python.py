"""Sends two events of each person by RudderStack's client for Python."""

import sys
from datetime import datetime, timedelta, timezone

from rudderstack.analytics.client import Client

host, write_key, people, begin = sys.argv[1:5]

analytics = Client(
    write_key,
    host=f"{host}/v1/segment",
    upload_size=50,
    upload_interval=0.2,
    max_retries=60,
    timeout=10,
)
context = {
    "app": {"version": "1.4.0"},
    "os": {"name": "iOS", "version": "18.1"},
    "locale": "de-DE",
    "location": {"country": "DE"},
}
start = datetime.fromisoformat(begin.replace("Z", "+00:00")).astimezone(timezone.utc)

for person in range(int(people)):
    at = start + timedelta(seconds=person)
    who = {"user_id": f"user-{person}", "anonymous_id": f"device-{person:04d}", "context": context}
    analytics.track(
        event="Application Opened",
        properties={"from": "push", "person": person},
        timestamp=at,
        **who,
    )
    analytics.track(
        event="Purchase Completed",
        properties={"plan": "year", "items": ["a"]},
        timestamp=at + timedelta(seconds=60),
        **who,
    )
    if person % 25 == 24:
        analytics.flush()
        print(person + 1, flush=True)
analytics.join()
