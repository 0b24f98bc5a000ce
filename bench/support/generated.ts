import { EVENT_COLUMNS } from '../../src/event-store/event/columns.ts';

type ColumnName = (typeof EVENT_COLUMNS)[number]['name'];

/** Of rows with `e` (the number of the event), `at_us` and `person`. */
const USUAL = {
  event_key: 'uuid()',
  occurred_at: 'make_timestamptz(at_us)',
  received_at: 'make_timestamptz(at_us)',
  arrival: 'at_us',
  batch_index: '(e % 20)::INTEGER',
  person_id: 'person',
  anonymous_id: 'person',
  user_id: 'NULL::VARCHAR',
  client_ts: "strftime(make_timestamptz(at_us), '%Y-%m-%dT%H:%M:%S.%gZ')",
  time_flag: 'NULL::VARCHAR',
} as const satisfies Partial<Record<ColumnName, string>>;

/** The event columns in their order, for `SELECT`; `own` says what the usual ones do not. */
export function generatedColumns(
  own: Readonly<Record<Exclude<ColumnName, keyof typeof USUAL>, string>>,
): string {
  const values: Readonly<Record<ColumnName, string>> = { ...USUAL, ...own };
  return EVENT_COLUMNS.map(({ name }) => `${values[name]} AS ${name}`).join(', ');
}
