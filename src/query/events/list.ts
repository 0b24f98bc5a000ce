import { parser } from '../../shared/schema.ts';
import { textList, textLiteral } from '../../storage/duckdb-literal.ts';
import { eventRelation } from '../reading/duckdb/relation.ts';
import { ofPeople } from '../reading/of-people.ts';
import type { QueryRun } from '../reading/run.ts';
import { COLUMNS, SHOWN } from './columns.ts';
import { PersonAnswer, type PersonQuestion, RecentAnswer, type RecentQuestion } from './model.ts';

/** The fields of a stored event; integers as DOUBLE, since a BIGINT is no JSON number. */
const SELECTED = SHOWN.map(({ name, type, field }) => {
  const value = type === 'TIMESTAMPTZ' ? `epoch_us(${name})::DOUBLE` : name;
  return `${value} AS "${field}"`;
}).join(', ');

const recentAnswer = parser(RecentAnswer, 'recent events');
const personAnswer = parser(PersonAnswer, 'events of a person');

export async function lastReceived(
  run: QueryRun,
  { limit, personId }: RecentQuestion,
): Promise<RecentAnswer> {
  const events = personId === undefined ? run : ofPeople(run, [personId]);
  await run.load(events.source);
  const relation = eventRelation(events, COLUMNS, 'id', 'anybody');
  const ofPerson = personId === undefined ? '' : `WHERE person = ${textLiteral(personId)}`;
  const result = await run.connection.runAndReadAll(
    `SELECT coalesce(person, '') AS person, ${SELECTED} FROM ${relation} ${ofPerson} ORDER BY arrival DESC, batch_index DESC LIMIT ${limit}`,
  );
  return recentAnswer.parse({ events: result.getRowObjects() });
}

export async function personEvents(
  run: QueryRun,
  { personIds, after, limit }: PersonQuestion,
): Promise<PersonAnswer> {
  const events = ofPeople(run, personIds);
  await run.load(events.source);
  const relation = eventRelation(events, COLUMNS);
  const onward = after
    ? `AND (e.arrival, e.batch_index) > (${after.arrival}::BIGINT, ${after.batchIndex}::INTEGER)`
    : '';
  const result = await run.connection.runAndReadAll(
    `SELECT person, ${SELECTED}, e.arrival::DOUBLE AS arrival, batch_index AS "batchIndex"
      FROM ${relation} e WHERE person IN (${textList(personIds)}) ${onward}
      ORDER BY e.arrival, e.batch_index LIMIT ${limit}`,
  );
  return personAnswer.parse({ events: result.getRowObjects() });
}
