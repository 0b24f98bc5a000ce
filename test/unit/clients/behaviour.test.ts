import { describe, expect, test } from 'bun:test';
import { behaviourCases, WebCase } from '../../support/clients/table.ts';

for (const { file, cases } of behaviourCases()) {
  describe(`the web client, ${file}`, () => {
    for (const testCase of cases.filter(({ only }) => only !== 'swift')) {
      test(`${testCase.rule}: ${testCase.name}`, () => new WebCase(testCase).run());
    }
  });
}

test('every case has a name of its own', () => {
  const names = behaviourCases().flatMap(({ cases }) => cases.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
});
