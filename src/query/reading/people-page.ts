import { onlyRow } from '../../shared/assert.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import type { PageOfPeople, PeopleAnswer } from '../selection/people-page.ts';
import { keepRows, readRows, type SqlRun } from './source/sql-rows.ts';

export async function peoplePage(
  run: SqlRun,
  rows: string,
  condition: string,
  { after, limit }: PageOfPeople,
): Promise<PeopleAnswer> {
  const behind = await keepRows(run, 'people_behind', rows);
  const total = await readRows(run, `SELECT count(DISTINCT person) FROM ${behind}`);
  const onward = after === null ? '' : ` AND person > ${textLiteral(after)}`;
  const found = await readRows(
    run,
    `SELECT person FROM ${behind} WHERE (${condition})${onward} ORDER BY person LIMIT ${limit + 1}`,
  );
  const people = found.map(([person]) => String(person));
  return {
    dataThroughMs: run.source.dataThroughMs,
    total: Number(onlyRow(total)[0]),
    people: people.slice(0, limit),
    hasMore: people.length > limit,
  };
}
