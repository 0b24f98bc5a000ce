import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { texts } from '../../../src/console/texts/index.ts';

const FOLDER = join(import.meta.dir, '../../../src/console');
const names = await Array.fromAsync(new Bun.Glob('**/*.{ts,tsx}').scan(FOLDER));
const sources = await Promise.all(
  names
    .filter((name) => !name.startsWith('texts/'))
    .map((name) => Bun.file(join(FOLDER, name)).text()),
);
const all = sources.join('\n');

/** By its name after `t` or `texts.<page>`; where texts are looked up, by its name in quotes. */
function isUsed(page: string, name: string): boolean {
  const own = sources.filter((source) => source.includes(`const t = texts.${page};`)).join('\n');
  return (
    all.includes(`texts.${page}.${name}`) ||
    new RegExp(`\\bt\\.${name}\\b`).test(own) ||
    (/\bt\[/.test(own) && new RegExp(`['"]${name}['"]`).test(own))
  );
}

/** What the API names, the console looks up without writing it down. */
const OF_THE_API = ['status.down', 'marketing.not_connected', 'turn.first', 'turn.next'];

test('every text of the console is used by a page', () => {
  const unused = Object.entries(texts).flatMap(([page, own]) =>
    typeof own === 'object'
      ? Object.keys(own).flatMap((name) => (isUsed(page, name) ? [] : [`${page}.${name}`]))
      : [],
  );
  expect(unused.filter((name) => !OF_THE_API.includes(name))).toEqual([]);
});
