import { BENCH_ORG } from '../support/event-files.ts';
import { generatedColumns } from '../support/generated.ts';

/** The app that is asked about has every second event; these have the others. */
const OTHER_APPS = 20;
const EVENTS_PER_PERSON = 20;
export const ASKED_APP = 'app_asked';

const COLUMNS = generatedColumns({
  org_id: `'${BENCH_ORG}'`,
  app_id: `CASE WHEN a % 2 = 0 THEN '${ASKED_APP}' ELSE 'app_' || (a % ${OTHER_APPS}) END`,
  name: "CASE WHEN b % 4 = 0 THEN 'step_' || (a % 5 + 1) ELSE 'other_' || (b % 15) END",
  session_id: "'session-' || (p % 50000)",
  platform: "(['ios', 'android', 'web'])[(1 + p % 3)::INTEGER]",
  app_version: "'2.' || (p % 9)",
  os_version: "'26.1'",
  locale: "'en_US'",
  country: "'US'",
  props: `'{"plan":"' || (['yearly', 'monthly'])[(1 + a % 2)::INTEGER] || '"}'`,
  environment: "'production'",
  event_id: 'NULL::VARCHAR',
});

/** A subquery: the events of a few seconds, of people who stay for the whole hour. */
export function momentSql(first: number, count: number, total: number, startMs: number): string {
  const people = Math.ceil(total / EVENTS_PER_PERSON);
  const usPerEvent = Math.floor(3_600_000_000 / total);
  return `(SELECT ${COLUMNS} FROM (
    SELECT e, hash(e, 'a') AS a, hash(e, 'b') AS b, p, md5('person' || p) AS person,
      ${startMs}::BIGINT * 1000 + e * ${usPerEvent} AS at_us
    FROM (SELECT range AS e, hash(range, 'p') % ${people} AS p
      FROM range(${first}, ${first + count}))))`;
}
