import type { DuckDBConnection } from '@duckdb/node-api';
import { textOrNull } from '../../shared/text.ts';
import type { QueryEngine } from '../engine.ts';
import { type EventSource, eventRelation } from '../source.ts';
import type { Needs } from '../tables.ts';
import type { RecentAnswer, RecentQuestion } from './model.ts';

const COLUMNS = [
  'name',
  'occurred_at',
  'received_at',
  'arrival',
  'batch_index',
  'anonymous_id',
  'user_id',
  'session_id',
  'client_ts',
  'time_flag',
  'platform',
  'app_version',
  'os_version',
  'locale',
  'country',
  'props',
  'event_id',
  'environment',
];

export const RECENT_NEEDS: Needs = { columns: COLUMNS };

/** An event as it is stored, from a row with its columns, `occurred` and `received`. */
export function toStoredEvent(row: Record<string, unknown>): RecentAnswer['events'][number] {
  return {
    name: String(row.name),
    occurredAtUs: Number(row.occurred),
    receivedAtUs: Number(row.received),
    person: String(row.person),
    anonymousId: String(row.anonymous_id),
    userId: textOrNull(row.user_id),
    sessionId: textOrNull(row.session_id),
    clientTs: textOrNull(row.client_ts),
    timeFlag: textOrNull(row.time_flag),
    platform: textOrNull(row.platform),
    appVersion: textOrNull(row.app_version),
    osVersion: textOrNull(row.os_version),
    locale: textOrNull(row.locale),
    country: textOrNull(row.country),
    props: textOrNull(row.props),
    eventId: textOrNull(row.event_id),
    environment: row.environment === 'development' ? 'development' : 'production',
  };
}

/**
 * How many of the last rows to look among: some are left out, because the service wrote them or the
 * person was erased. Undefined: all.
 */
function* amongLast(limit: number): Generator<number | undefined> {
  yield 4 * limit;
  yield 256 * limit;
  yield undefined;
}

/** The events received last, from as few files as have enough of them. */
export async function lastReceived(
  engine: Pick<QueryEngine, 'run'>,
  question: RecentQuestion,
): Promise<RecentAnswer> {
  let answer: RecentAnswer = { events: [] };
  for (const newest of amongLast(question.limit)) {
    const window = { ...question, fromUs: 0, ...(newest !== undefined && { newest }) };
    answer = await engine.run(window, RECENT_NEEDS, ({ connection, source }) =>
      latestEvents(connection, source, question),
    );
    if (answer.events.length >= question.limit) break;
  }
  return answer;
}

/** The events of `source` received last, as they are stored. Those of the service itself are left out. */
export async function latestEvents(
  connection: DuckDBConnection,
  source: EventSource,
  { beforeUs, limit }: RecentQuestion,
): Promise<RecentAnswer> {
  const relation = eventRelation(source, {
    columns: COLUMNS,
    ofClients: true,
    beforeUs,
  });
  const result = await connection.runAndReadAll(
    `SELECT name, epoch_us(occurred_at) AS occurred, epoch_us(received_at) AS received, person,
        anonymous_id, user_id, session_id, client_ts, time_flag, platform, app_version, os_version,
        locale, country, props, event_id, environment
      FROM ${relation} ORDER BY arrival DESC, batch_index DESC LIMIT ${limit}`,
  );
  return { events: result.getRowObjects().map(toStoredEvent) };
}
