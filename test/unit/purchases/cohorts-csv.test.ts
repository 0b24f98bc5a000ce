import { expect, test } from 'bun:test';
import { parse } from 'csv-parse/sync';
import { cohortsCsv } from '../../../src/modules/purchases/cohorts/csv.ts';

type Answer = Parameters<typeof cohortsCsv>[0];

/** Each figure is the same. */
const cellOf = (figure: number): any =>
  new Proxy({}, { get: (_, name) => (name === 'subscriptions' ? cellOf(figure) : figure) });

test('all other values are told from a value with the name other', () => {
  const cohortsOf = (people: number) => [
    { from: 'a', to: 'b', people, periods: [cellOf(people), null] },
  ];
  const groups = [
    { value: 'other', cohorts: cohortsOf(60) },
    { value: '=1', cohorts: cohortsOf(9) },
    { value: null, cohorts: cohortsOf(7) },
  ];
  const answer = { currency: 'USD', cohorts: cohortsOf(76), groups } as unknown as Answer;
  const read = (one: Answer) => {
    const rows: Record<string, string>[] = parse(cohortsCsv(one), { columns: true });
    return rows.map(({ value, people, rest }) => [value, people, rest]);
  };
  expect(read(answer)).toEqual([
    ['other', '60', ''],
    ["'=1", '9', ''],
    ['other', '7', 'true'],
  ]);
  expect(read({ ...answer, groups: null })).toEqual([['', '76', '']]);
});
