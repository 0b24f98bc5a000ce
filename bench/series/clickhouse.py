"""Answers the questions of `bench series` from a MergeTree ordered by person, one a line of stdin."""
import sys
import time

from chdb import session

folder, pattern, from_s, before_s = sys.argv[1:5]
db = session.Session(folder)
db.query("CREATE DATABASE IF NOT EXISTS bench ENGINE = Atomic")
db.query(
    "CREATE TABLE bench.events (person UUID, occurred_at DateTime64(6, 'UTC'),"
    " name LowCardinality(String)) ENGINE = MergeTree ORDER BY (person, occurred_at)"
)
db.query(
    "INSERT INTO bench.events SELECT toUUID(person_key), occurred_at, name"
    f" FROM file('{pattern}', Parquet, 'person_key UUID, occurred_at DateTime64(6), name String')"
)
db.query("OPTIMIZE TABLE bench.events FINAL")

TIMES = f"occurred_at >= fromUnixTimestamp64Micro({from_s}) AND occurred_at < fromUnixTimestamp64Micro({before_s})"
CLIENTS = "NOT startsWith(name, '$')"
QUESTIONS = {
    "dau": f"SELECT toDate(occurred_at) AS day, uniqExact(person), count() FROM bench.events"
    f" WHERE {TIMES} AND {CLIENTS} GROUP BY day ORDER BY day",
    "retention": "SELECT cohort, arrayJoin(weeks) AS week, count() FROM (SELECT person,"
    " min(toMonday(occurred_at)) AS cohort, groupUniqArray(toMonday(occurred_at)) AS weeks"
    f" FROM bench.events WHERE {CLIENTS} GROUP BY person) GROUP BY cohort, week ORDER BY cohort, week",
}
print("ready", flush=True)
for line in sys.stdin:
    started = time.perf_counter()
    answer = str(db.query(QUESTIONS[line.strip()] + " SETTINGS max_threads = 2", "CSV"))
    elapsed = (time.perf_counter() - started) * 1000
    people = sum(int(row.split(",")[-2 if line.strip() == "dau" else -1]) for row in answer.split())
    print(elapsed, people, flush=True)
