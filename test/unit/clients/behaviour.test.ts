import { describe, expect, test } from 'bun:test';
import { behaviourCases, TableCase } from '../../support/clients/table.ts';

for (const { file, cases } of behaviourCases()) {
  describe(`the web client, ${file}`, () => {
    for (const testCase of cases.filter(({ only }) => only !== 'start')) {
      test(`${testCase.rule}: ${testCase.name}`, () => new TableCase(testCase).run());
    }
  });

  describe(`the client of React Native, ${file}`, () => {
    for (const testCase of cases.filter(({ only }) => only === undefined)) {
      test(`${testCase.rule}: ${testCase.name}`, () => new TableCase(testCase, 'native').run());
    }
  });
}

test('every case has a name of its own', () => {
  const names = behaviourCases().flatMap(({ cases }) => cases.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
});
