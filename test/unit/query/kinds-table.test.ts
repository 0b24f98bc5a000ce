import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { COUNTED, QUESTIONS } from '../../../src/query/kinds.ts';
import { ROOT } from '../../support/sources.ts';

/** As the page has it, however its columns are padded. */
const lines = (text: string) => text.replaceAll(/ +\|/g, ' |').split('\n');

test('the page of the architecture has which kind is counted in which form, and why not in another', async () => {
  const rows = Object.entries(QUESTIONS).map(([kind, { lake }]) => {
    const byTrino = typeof lake === 'string' ? `no: ${lake}` : 'yes';
    return `| \`${kind}\` | ${'counter' in Reflect.get(COUNTED, kind) ? 'yes' : 'no'} | ${byTrino} |`;
  });
  const page = lines(await Bun.file(join(ROOT, 'docs/architecture.md')).text());
  const from = page.indexOf('| kind | projections | by Trino |');
  expect(page.slice(from + 2, from + 2 + rows.length)).toEqual(rows);
});
