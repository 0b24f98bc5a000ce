"""Runs SQL in ClickHouse (chDB): a JSON text a line of stdin, {ms, rows} a line of stdout."""
import json
import sys
import time

from chdb import session

db = session.Session(sys.argv[1])
print("ready", flush=True)
for line in sys.stdin:
    started = time.perf_counter()
    answer = str(db.query(json.loads(line), "JSONCompactEachRow"))
    elapsed = (time.perf_counter() - started) * 1000
    rows = [json.loads(row) for row in answer.splitlines()]
    print(json.dumps({"ms": elapsed, "rows": rows}), flush=True)
