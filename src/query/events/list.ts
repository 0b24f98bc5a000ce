import type { DuckDBConnection } from '@duckdb/node-api';
import { EVENT_COLUMNS } from '../../event-store/read.ts';
import { parser } from '../../shared/schema.ts';
import { textList, textLiteral } from '../../storage/duckdb-literal.ts';
import type { QueryEngine } from '../engine.ts';
import { filterSql } from '../filters.ts';
import { hasPerson } from '../projection/has-person.ts';
import { type EventSource, eventRelation } from '../source.ts';
import { ensureTables, type Needs } from '../tables.ts';
import {
  PersonAnswer,
  type PersonQuestion,
  RecentAnswer,
  type RecentQuestion,
  StoredEvent,
} from './model.ts';

const SHOWN = EVENT_COLUMNS.filter(({ field }) => field in StoredEvent.properties);
const COLUMNS = [...SHOWN.map(({ name }) => name), 'arrival', 'batch_index'];

/** The fields of a stored event; integers as DOUBLE, since a BIGINT is no JSON number. */
const SELECTED = SHOWN.map(({ name, type, field }) => {
  const value = type === 'TIMESTAMPTZ' ? `epoch_us(${name})::DOUBLE` : name;
  return `${value} AS "${field}"`;
}).join(', ');

export const EVENT_NEEDS: Needs = { columns: COLUMNS };
/** For the events of one person, which projections say where to find. */
export const PERSON_NEEDS: Needs = { ...EVENT_NEEDS, projections: true };

const recentAnswer = parser(RecentAnswer, 'recent events');
const personAnswer = parser(PersonAnswer, 'events of a person');

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
    const needs = question.personId === undefined ? EVENT_NEEDS : PERSON_NEEDS;
    answer = await engine.run(window, needs, ({ connection, source }) =>
      latestEvents(connection, source, question),
    );
    if (answer.events.length >= question.limit) break;
  }
  return answer;
}

/** The ids that rows of people can have, of which some may be of others by now. */
function idsOf({ lateAliases }: EventSource, personIds: readonly string[]): string[] {
  const wanted = new Set(personIds);
  const devices = lateAliases.filter(({ userId }) => wanted.has(userId));
  return [...new Set([...personIds, ...devices.map(({ anonymousId }) => anonymousId)])];
}

/** Files are sorted by person, so most row groups are skipped. */
const isOneOfSql = (ids: readonly string[]) => `person_id IN (${textList(ids)})`;

/**
 * Without files whose projection says that they have nobody with such an id, without other people's
 * rows of the log, and without other devices' aliases.
 */
function onlyOf(source: EventSource, ids: readonly string[]): EventSource {
  return {
    ...source,
    files: source.files.filter(
      ({ projection }) => projection === null || hasPerson(projection, ids),
    ),
    hotRows: source.hotRows.filter(({ personId }) => ids.includes(personId)),
    lateAliases: source.lateAliases.filter(({ anonymousId }) => ids.includes(anonymousId)),
  };
}

/** The events of `source` received last, without reserved ones. */
async function latestEvents(
  connection: DuckDBConnection,
  source: EventSource,
  { beforeUs, limit, name, personId, filters }: RecentQuestion,
): Promise<RecentAnswer> {
  const { condition } = filterSql(filters);
  const ids = personId === undefined ? null : idsOf(source, [personId]);
  const conditions = [condition, ids && isOneOfSql(ids)];
  const where = conditions.filter((one) => one !== null).join(' AND ');
  const asked = ids ? onlyOf(source, ids) : source;
  await ensureTables(connection, asked, EVENT_NEEDS);
  const relation = eventRelation(asked, {
    columns: COLUMNS,
    ofClients: true,
    beforeUs,
    ...(name !== undefined && { names: [name] }),
    ...(where !== '' && { where }),
  });
  const ofPerson = personId === undefined ? '' : `WHERE person = ${textLiteral(personId)}`;
  const result = await connection.runAndReadAll(
    `SELECT person, ${SELECTED} FROM ${relation} ${ofPerson} ORDER BY arrival DESC, batch_index DESC LIMIT ${limit}`,
  );
  return recentAnswer.parse({ events: result.getRowObjects() });
}

/** A page of everything that people did in order of receipt, reserved events too. */
export async function personEvents(
  connection: DuckDBConnection,
  source: EventSource,
  { personIds, after, beforeUs, limit }: PersonQuestion,
): Promise<PersonAnswer> {
  const ids = idsOf(source, personIds);
  const where = isOneOfSql(ids);
  const asked = onlyOf(source, ids);
  await ensureTables(connection, asked, EVENT_NEEDS);
  const relation = eventRelation(asked, { columns: COLUMNS, where, beforeUs });
  const onward = after
    ? `AND (e.arrival, e.batch_index) > (${after.arrival}::BIGINT, ${after.batchIndex}::INTEGER)`
    : '';
  const result = await connection.runAndReadAll(
    `SELECT person, ${SELECTED}, e.arrival::DOUBLE AS arrival, batch_index AS "batchIndex"
      FROM ${relation} e WHERE person IN (${textList(personIds)}) ${onward}
      ORDER BY e.arrival, e.batch_index LIMIT ${limit}`,
  );
  return personAnswer.parse({ events: result.getRowObjects() });
}
