import { expect, test } from 'bun:test';
import { checkOrder } from '../../../src/storage/migrate.ts';

const check = (missing: string[], applied: string[]) => () => checkOrder(missing, new Set(applied));

test('a migration with a running number below the newest one is refused', () => {
  expect(check(['1001_late.sql'], ['0441_old.sql', '1002_applied.sql'])).toThrow(
    'Migration "1001_late.sql" comes after "1002_applied.sql": give it the next number.',
  );
});

test('migrations with running numbers follow each other', () => {
  expect(check(['1001_next.sql', '1002_next.sql'], ['1000_first.sql'])).not.toThrow();
  expect(check(['1000_first.sql'], [])).not.toThrow();
});

test('numbers by area may be filled in late', () => {
  expect(check(['0301_between.sql'], ['0441_old.sql', '1000_first.sql'])).not.toThrow();
});
