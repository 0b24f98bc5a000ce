import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { allTexts } from '../../support/console/texts.ts';

const FOLDER = join(import.meta.dir, '../../../src/console');
const names = await Array.fromAsync(new Bun.Glob('**/*.{ts,tsx}').scan(FOLDER));
const sources = await Promise.all(
  names
    .filter((name) => !name.startsWith('texts/'))
    .map((name) => Bun.file(join(FOLDER, name)).text()),
);

/** The names by which a source calls the texts of a page. */
function aliasesIn(source: string, page: string): string[] {
  const imported = [...source.matchAll(new RegExp(`\\b${page} as (\\w+)`, 'g'))];
  const whole = [`texts.${page}`, page, ...imported.map(([, alias = '']) => alias)];
  const parts = [...source.matchAll(/const (\w+) = ([\w.]+);/g)];
  return [...whole, ...parts.flatMap(([, to = '', of = '']) => (whole.includes(of) ? [to] : []))];
}

/** By its name after an alias; where texts are looked up, by its name in quotes. */
function isUsed(page: string, name: string): boolean {
  return sources.some((source) =>
    aliasesIn(source, page).some(
      (alias) =>
        source.includes(`${alias}.${name}`) ||
        (source.includes(`${alias}[`) && new RegExp(`\\b${name}\\b`).test(source)),
    ),
  );
}

/** What the API or the table of pages names, the console looks up without writing it down. */
const LOOKED_UP = [
  'environments.all',
  'status.down',
  'marketing.not_connected',
  'pagination.first',
  'pagination.next',
];

test('every text of the console is used by a page', async () => {
  const unused = Object.entries(await allTexts()).flatMap(([page, own]) =>
    typeof own === 'object' && own !== null && page !== 'nav'
      ? Object.keys(own).flatMap((name) => (isUsed(page, name) ? [] : [`${page}.${name}`]))
      : [],
  );
  expect(unused.filter((name) => !LOOKED_UP.includes(name))).toEqual([]);
});
