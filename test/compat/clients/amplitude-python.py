"""Sends two events of each person by Amplitude's client for Python."""

import os
import sys
import threading
from datetime import datetime

from amplitude import Amplitude, BaseEvent, Config

host, api_key, people, begin = sys.argv[1:5]

analytics = Amplitude(
    api_key,
    Config(
        server_url=f"{host}/v1/amplitude/2/httpapi",
        flush_queue_size=50,
        flush_interval_millis=200,
        flush_max_retries=60,
    ),
)
waiting = {}
lock = threading.Lock()


def delivered(event, code, _message):
    if code == 200:
        with lock:
            waiting.pop(event.insert_id, None)


def track(name, person, at, properties):
    event = dict(
        event_type=name,
        user_id=f"user-{person}",
        device_id=f"device-{person:04d}",
        insert_id=f"{name}-{person}",
        time=at,
        platform="iOS",
        os_version="18.1",
        app_version="1.4.0",
        country="DE",
        event_properties=properties,
    )
    waiting[event["insert_id"]] = event


def deliver():
    """Where a connection breaks the client loses the batch without a word to its callback."""
    while True:
        with lock:
            left = list(waiting.values())
        if not left:
            return
        for event in left:
            analytics.track(BaseEvent(**event, callback=delivered))
        until = datetime.now().timestamp() + 3
        while waiting and datetime.now().timestamp() < until:
            threading.Event().wait(0.05)


start = int(datetime.fromisoformat(begin.replace("Z", "+00:00")).timestamp() * 1000)
for person in range(int(people)):
    at = start + person * 1000
    track("Application Opened", person, at, {"from": "push", "person": person})
    track("Purchase Completed", person, at + 60_000, {"plan": "year", "items": ["a"]})
    if person % 25 == 24:
        deliver()
        print(person + 1, flush=True)
sys.stdout.flush()
os._exit(0)
