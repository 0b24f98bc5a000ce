import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataDictionary } from '../../../src/modules/sql/views.ts';
import { ROOT } from '../../support/sources.ts';

test('docs/data-dictionary.md names the columns of every view', () => {
  const page = readFileSync(join(ROOT, 'docs/data-dictionary.md'), 'utf8');
  expect(page).toBe(dataDictionary());
});
