import { generatedColumns } from '../support/generated.ts';

export const EVENTS_PER_DAY = 500;
const PEOPLE = 200;
const NAMES = [
  'app_opened',
  'screen_viewed',
  'onboarding_completed',
  'paywall_viewed',
  'purchase_completed',
];

export const appName = (n: number) => `app_${String(n).padStart(5, '0')}`;

const COLUMNS = generatedColumns({
  org_id: "'org_bench'",
  app_id: "format('app_{:05d}', a)",
  name: `list_extract([${NAMES.map((name) => `'${name}'`).join(', ')}], 1 + (hash(a, e, 'n') % 5)::INTEGER)`,
  session_id: "'session-' || (e // 20)",
  platform: "'ios'",
  app_version: "'1.4.' || (e % 3)",
  os_version: "'18.1'",
  locale: "'de_DE'",
  country: "'DE'",
  props: `'{"screen":"screen-' || (e % 17) || '","position":' || e || '}'`,
  environment: "'production'",
  event_id: 'uuid()::VARCHAR',
});

/** A subquery: 500 events of each of the apps `first`, … on one UTC day. */
export function appDaysSql(first: number, apps: number, dayMs: number): string {
  return `(SELECT ${COLUMNS} FROM (
    SELECT a, e, ${dayMs}::BIGINT * 1000 + (hash(a, e, ${dayMs}) % 86400000000)::BIGINT AS at_us,
      'person-' || (hash(a, e, ${dayMs}, 'p') % ${PEOPLE}) AS person
    FROM range(${first}, ${first + apps}) t1(a), range(${EVENTS_PER_DAY}) t2(e)))`;
}
