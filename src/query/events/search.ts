import { parser } from '../../shared/schema.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import { eventRelation } from '../reading/duckdb/relation.ts';
import type { QueryRun } from '../reading/run.ts';
import { SearchAnswer, type SearchQuestion } from './model.ts';

const MAX_SHOWN_DEVICES = 10;

const searchAnswer = parser(SearchAnswer, 'people found');

export async function searchPeople(
  run: QueryRun,
  { prefix, limit }: SearchQuestion,
): Promise<SearchAnswer> {
  const events = eventRelation(run, ['anonymous_id', 'occurred_at']);
  const begins = (id: string) => `starts_with(${id}, ${textLiteral(prefix)})`;
  const result = await run.connection.runAndReadAll(
    `WITH found AS (
        SELECT DISTINCT person FROM ${events} WHERE ${begins('person')} OR ${begins('anonymous_id')}
        ORDER BY person LIMIT ${limit + 1})
      SELECT to_json({personId: person,
        anonymousIds: list_sort(list(DISTINCT anonymous_id))[:${MAX_SHOWN_DEVICES}],
        events: count(*), firstAtUs: epoch_us(min(occurred_at)), lastAtUs: epoch_us(max(occurred_at))})
      FROM ${events} SEMI JOIN found USING (person) GROUP BY person ORDER BY person`,
  );
  const people = result.getRows().map(([person]): unknown => JSON.parse(String(person)));
  return searchAnswer.parse({ people: people.slice(0, limit), hasMore: people.length > limit });
}
