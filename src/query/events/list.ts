import { parser } from '../../shared/schema.ts';
import { textList, textLiteral } from '../../storage/duckdb-literal.ts';
import { eventRelation } from '../reading/duckdb/relation.ts';
import { hasPerson } from '../reading/projection/has-person.ts';
import type { QueryRun } from '../reading/run.ts';
import { type EventSource, type Events, selectEvents } from '../reading/source/events.ts';
import { COLUMNS, LAST_SHOWN, SEARCHED, SHOWN } from './columns.ts';
import * as model from './model.ts';

function findIds({ lateAliases }: EventSource, personIds: readonly string[]): string[] {
  const wanted = new Set(personIds);
  const devices = lateAliases.filter(({ userId }) => wanted.has(userId));
  return [...new Set([...personIds, ...devices.map(({ anonymousId }) => anonymousId)])];
}

/** Without files, log rows and aliases that cannot be of these people. */
function ofPeople({ source, selection }: Events, people: readonly string[]): Events {
  const personIds = findIds(source, people);
  const some = {
    ...source,
    files: source.files.filter(
      ({ projection }) => projection === null || hasPerson(projection, personIds),
    ),
    hotRows: source.hotRows.filter(({ personId }) => personIds.includes(personId)),
    lateAliases: source.lateAliases.filter(({ anonymousId }) => personIds.includes(anonymousId)),
  };
  return selectEvents(some, { ...selection, personIds });
}

const MAX_SHOWN_DEVICES = 10;

const searchAnswer = parser(model.SearchAnswer, 'people found');

const LAST = LAST_SHOWN.map(({ name, field }) => `${field}: arg_max(${name}, occurred_at)`).join(
  ', ',
);

export async function searchPeople(
  run: QueryRun,
  { prefix, personIds, limit }: model.SearchQuestion,
): Promise<model.SearchAnswer> {
  const searched = personIds ? ofPeople(run, personIds) : run;
  await run.load(searched.source);
  const events = eventRelation(searched, SEARCHED);
  const begins = (id: string) => `starts_with(${id}, ${textLiteral(prefix ?? '')})`;
  const isWanted = personIds
    ? `person IN (${textList(personIds)})`
    : `${begins('person')} OR ${begins('anonymous_id')}`;
  const result = await run.connection.runAndReadAll(
    `WITH found AS (
        SELECT DISTINCT person FROM ${events} WHERE ${isWanted}
        ORDER BY person LIMIT ${limit + 1})
      SELECT to_json({personId: person,
        anonymousIds: list_sort(list(DISTINCT anonymous_id))[:${MAX_SHOWN_DEVICES}],
        events: count(*), firstAtUs: epoch_us(min(occurred_at)), lastAtUs: epoch_us(max(occurred_at)),
        ${LAST}})
      FROM ${events} SEMI JOIN found USING (person) GROUP BY person ORDER BY person`,
  );
  const people = result.getRows().map(([person]): unknown => JSON.parse(String(person)));
  return searchAnswer.parse({ people: people.slice(0, limit), hasMore: people.length > limit });
}

/** The fields of a stored event; integers as DOUBLE, since a BIGINT is no JSON number. */
const SELECTED = SHOWN.map(({ name, type, field }) => {
  const value = type === 'TIMESTAMPTZ' ? `epoch_us(${name})::DOUBLE` : name;
  return `${value} AS "${field}"`;
}).join(', ');

const recentAnswer = parser(model.RecentAnswer, 'recent events');
const personAnswer = parser(model.PersonAnswer, 'events of a person');

export async function lastReceived(
  run: QueryRun,
  { limit, personId }: model.RecentQuestion,
): Promise<model.RecentAnswer> {
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
  { personIds, after, limit }: model.PersonQuestion,
): Promise<model.PersonAnswer> {
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
