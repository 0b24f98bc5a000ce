import { onlyRow } from '../../shared/assert.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import type { PageOfPeople, PeopleAnswer } from '../selection/people-page.ts';
import type { QueryRun } from './run.ts';

export async function peoplePage(
  { connection, source }: QueryRun,
  rows: string,
  condition: string,
  { after, limit }: PageOfPeople,
): Promise<PeopleAnswer> {
  await connection.run(`CREATE OR REPLACE TEMP TABLE people_behind AS ${rows}`);
  const total = await connection.runAndReadAll('SELECT count(DISTINCT person) FROM people_behind');
  const onward = after === null ? '' : ` AND person > ${textLiteral(after)}`;
  const result = await connection.runAndReadAll(
    `SELECT person FROM people_behind WHERE (${condition})${onward}
      ORDER BY person LIMIT ${limit + 1}`,
  );
  const people = result.getRows().map(([person]) => String(person));
  return {
    dataThroughMs: source.dataThroughMs,
    total: Number(onlyRow(total.getRows())[0]),
    people: people.slice(0, limit),
    hasMore: people.length > limit,
  };
}
