import { expect, test } from 'bun:test';
import { readSources } from '../support/sources.ts';

/** Words of comments in `src`: a new one is worth the place of an old one. */
const MOST_WORDS = 36_000;

const wordsIn = (text: string): number =>
  text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

const beforeEnd = (text: string): string => text.replace(/\*\/.*$/, '');

function commentWords(lines: readonly string[]): number {
  let words = 0;
  let isOpen = false;
  for (const line of lines) {
    if (isOpen) {
      words += wordsIn(beforeEnd(line));
      isOpen = !line.includes('*/');
      continue;
    }
    const ofLine = /^\s*\/\/(.*)$/.exec(line) ?? /[;,{}()\w'"`] \/\/ (.*)$/.exec(line);
    const block = ofLine ?? /(?:^|[\s{(,])\/\*+(.*)$/.exec(line);
    if (!block) continue;
    const text = block[1] ?? '';
    words += wordsIn(ofLine ? text : beforeEnd(text));
    isOpen = !ofLine && !text.includes('*/');
  }
  return words;
}

test('comments are few: the code says what it does', () => {
  const words = readSources('src/**/*.{ts,tsx}').map(({ lines }) => commentWords(lines));
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MOST_WORDS);
});

test('words of comments are counted, of code not', () => {
  const code = ["import 'a'; // two words", '/** Three – words */ const b = "// none";'];
  const blocks = ['/**', ' * One, two', ' * and three.', ' */', '{/* four */}', 'https://none'];
  expect(commentWords([...code, ...blocks, '  // five'])).toBe(2 + 2 + 4 + 1 + 1);
});
