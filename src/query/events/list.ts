import type { DuckDBConnection } from '@duckdb/node-api';
import { textOrNull } from '../../shared/text.ts';
import { textList, textLiteral } from '../../storage/duckdb-literal.ts';
import type { QueryEngine } from '../engine.ts';
import { type EventSource, eventRelation } from '../source.ts';
import type { Needs } from '../tables.ts';
import type { PersonAnswer, PersonQuestion, RecentAnswer, RecentQuestion } from './model.ts';

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

export const EVENT_NEEDS: Needs = { columns: COLUMNS };

function toStoredEvent(row: Record<string, unknown>): RecentAnswer['events'][number] {
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
 * Rows to search for each event of a page, fewest first: reserved events and erased people are left
 * out of the page. The last attempt searches all.
 */
const SEARCHED_PER_EVENT = [4, 256, null];

/** The events received last, from as few files as have enough of them. */
export async function lastReceived(
  engine: Pick<QueryEngine, 'run'>,
  question: RecentQuestion,
): Promise<RecentAnswer> {
  let answer: RecentAnswer = { events: [] };
  for (const rows of SEARCHED_PER_EVENT) {
    const newest = rows === null ? {} : { newest: rows * question.limit };
    const window = { ...question, fromUs: 0, ...newest };
    answer = await engine.run(window, EVENT_NEEDS, ({ connection, source }) =>
      latestEvents(connection, source, question),
    );
    if (answer.events.length >= question.limit) break;
  }
  return answer;
}

/** The events of `source` received last, without reserved ones. */
async function latestEvents(
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

/** A page of everything that one person did in order of receipt, reserved events too. */
export async function personEvents(
  connection: DuckDBConnection,
  source: EventSource,
  { personId, after, beforeUs, limit }: PersonQuestion,
): Promise<PersonAnswer> {
  // Files are sorted by person: with the ids that rows of theirs can have, most row groups are skipped.
  const devices = source.lateAliases.filter(({ userId }) => userId === personId);
  const ids = [personId, ...devices.map(({ anonymousId }) => anonymousId)];
  const where = `person_id IN (${textList(ids)})`;
  const relation = eventRelation(source, { columns: COLUMNS, where, beforeUs });
  const onward = after
    ? `AND (arrival, batch_index) > (${after.arrival}::BIGINT, ${after.batchIndex}::INTEGER)`
    : '';
  const result = await connection.runAndReadAll(
    `SELECT *, epoch_us(occurred_at) AS occurred, epoch_us(received_at) AS received
      FROM ${relation} WHERE person = ${textLiteral(personId)} ${onward}
      ORDER BY arrival, batch_index LIMIT ${limit}`,
  );
  return {
    events: result.getRowObjects().map((row) => ({
      ...toStoredEvent(row),
      arrival: Number(row.arrival),
      batchIndex: Number(row.batch_index),
    })),
  };
}
