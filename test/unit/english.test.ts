import { expect, test } from 'bun:test';
import { readSources } from '../support/sources.ts';

const sources = readSources('{src,workflows,activities}/**/*.{ts,tsx}').filter(
  ({ path }) => !path.startsWith('src/console/'),
);

const EXPORT =
  /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|type|enum|interface) (\w+)/gm;
const MADE = /\b(?:const|function\*?|let) ([a-z]\w*Of)\b/g;
/** Words of a name: `TOLD_MAX`, `isTold` → `told max`, `is told`. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]/);
const SPEECH: ReadonlySet<string> = new Set(['told', 'said', 'asked', 'heard']);
const COMMENT = /(?:\/\*\*?|(?:^|\s)\/\/)\s*(?:Of|What|Who|Whose|Those|Else|Beside|Such)\b.*/gm;
const TEXT =
  /\b(?:summary|description):\s*['"`](?:Of|What|Who|Whose|Those|Else|Beside|Such)\b[^'"`\n]*/g;

const found = (pattern: RegExp): string[] =>
  sources.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map((match) => `${path}: ${match[1] ?? match[0].trim()}`),
  );

/** What is left may only fall: lower the number with it. */
const MOST = { exportedOf: 58, of: 228, texts: 183 };

test('no exported name has a verb of speech', () => {
  const isSpeech = (name: string) => wordsOf(name).some((word) => SPEECH.has(word));
  expect(['TOLD_MAX', 'isTold', 'golden'].filter(isSpeech)).toEqual(['TOLD_MAX', 'isTold']);
  expect(found(EXPORT).filter((one) => isSpeech(one.split(': ')[1] ?? ''))).toEqual([]);
});

test('no comment begins with a relative word or a genitive', () => {
  expect(found(COMMENT)).toEqual([]);
});

test('names in xOf become fewer', () => {
  const exported = found(EXPORT).filter((name) => name.endsWith('Of'));
  expect(exported.length).toBeLessThanOrEqual(MOST.exportedOf);
  expect(new Set(found(MADE)).size).toBeLessThanOrEqual(MOST.of);
});

test('texts of the public document that begin so become fewer', () => {
  expect(found(TEXT).length).toBeLessThanOrEqual(MOST.texts);
});
