import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');

/** Words of a name: `fillSlotsOf`, `fill-slots-of.ts` → ` fill slots of `. */
const wordsOf = (name: string): string =>
  ` ${name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .join(' ')
    .toLowerCase()} `;

/** Bold words of the last column, with their term: other words have another meaning elsewhere. */
function bannedWords(glossary: string): { word: string; term: string }[] {
  return glossary
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .flatMap((line) => {
      const [, term = '', , not = ''] = line.split('|');
      return [...not.matchAll(/\*\*(.+?)\*\*/g)].map(([, word = '']) => ({
        word: wordsOf(word),
        term: term.trim(),
      }));
    });
}

const EXPORT =
  /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|type|enum|interface) (\w+)/gm;

/**
 * Names of files and exports. `src/console` is left out: its pages are named by the words that
 * stand on them, and are rewritten on their own.
 */
function* names(): Generator<{ name: string; at: string }> {
  for (const folder of ['src', 'workflows', 'activities']) {
    for (const file of new Bun.Glob('**/*.{ts,tsx}').scanSync(join(ROOT, folder))) {
      const at = `${folder}/${file}`;
      if (at.startsWith('src/console/')) continue;
      yield { name: at.replace(/\.tsx?$/, ''), at };
      for (const [, name = ''] of readFileSync(join(ROOT, at), 'utf8').matchAll(EXPORT)) {
        yield { name, at };
      }
    }
  }
}

test('no file and no export is named by a word that the glossary bans', () => {
  const banned = bannedWords(readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8'));
  expect(banned.length).toBeGreaterThan(40);
  const found = [...names()].flatMap(({ name, at }) => {
    const words = wordsOf(name);
    return banned
      .filter(({ word }) => words.includes(word))
      .map(({ word, term }) => `${at}: ${name} has "${word.trim()}"; the term is "${term}"`);
  });
  expect(found).toEqual([]);
});

test('a word that the glossary bans is found in a name', () => {
  const glossary = '| batch | what one request handles | **pile**, load |\n';
  expect(bannedWords(glossary)).toEqual([{ word: ' pile ', term: 'batch' }]);
  for (const name of ['PILE_MAX', 'eventPile', 'events/pile-of-rows']) {
    expect(wordsOf(name)).toContain(' pile ');
  }
  expect(wordsOf('compile')).not.toContain(' pile ');
});

test('each term of the glossary stands once in its section', () => {
  const sections = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8').split('\n## ').slice(1);
  for (const section of sections) {
    const terms = section
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
      .map((line) => line.split('|')[1]?.trim());
    expect(new Set(terms).size).toBe(terms.length);
  }
});
