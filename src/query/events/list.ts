import { parser } from '../../shared/schema.ts';
import { textList, textLiteral } from '../../storage/duckdb-literal.ts';
import type { QueryRun } from '../engine.ts';
import { hasPerson } from '../projection/has-person.ts';
import { type EventSource, eventRelation } from '../source.ts';
import { COLUMNS, SHOWN } from './columns.ts';
import { PersonAnswer, type PersonQuestion, RecentAnswer, type RecentQuestion } from './model.ts';

/** The fields of a stored event; integers as DOUBLE, since a BIGINT is no JSON number. */
const SELECTED = SHOWN.map(({ name, type, field }) => {
  const value = type === 'TIMESTAMPTZ' ? `epoch_us(${name})::DOUBLE` : name;
  return `${value} AS "${field}"`;
}).join(', ');

const recentAnswer = parser(RecentAnswer, 'recent events');
const personAnswer = parser(PersonAnswer, 'events of a person');

/** The ids that rows of people can have, of which some may be of others by now. */
function idsOf({ lateAliases }: EventSource, personIds: readonly string[]): string[] {
  const wanted = new Set(personIds);
  const devices = lateAliases.filter(({ userId }) => wanted.has(userId));
  return [...new Set([...personIds, ...devices.map(({ anonymousId }) => anonymousId)])];
}

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

/** The events received last, without reserved ones. */
export async function lastReceived(
  { connection, source, selection, load }: QueryRun,
  { limit, personId }: RecentQuestion,
): Promise<RecentAnswer> {
  const ids = personId === undefined ? null : idsOf(source, [personId]);
  const some = ids ? onlyOf(source, ids) : source;
  await load(some);
  const relation = eventRelation(some, { ...selection, ...(ids && { personIds: ids }) }, COLUMNS);
  const ofPerson = personId === undefined ? '' : `WHERE person = ${textLiteral(personId)}`;
  const result = await connection.runAndReadAll(
    `SELECT person, ${SELECTED} FROM ${relation} ${ofPerson} ORDER BY arrival DESC, batch_index DESC LIMIT ${limit}`,
  );
  return recentAnswer.parse({ events: result.getRowObjects() });
}

/** A page of all that people did, reserved events too, in order of receipt. */
export async function personEvents(
  { connection, source, selection, load }: QueryRun,
  { personIds, after, limit }: PersonQuestion,
): Promise<PersonAnswer> {
  const ids = idsOf(source, personIds);
  const some = onlyOf(source, ids);
  await load(some);
  const relation = eventRelation(some, { ...selection, personIds: ids }, COLUMNS);
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
