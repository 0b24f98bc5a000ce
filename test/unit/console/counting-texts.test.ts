import { expect, test } from 'bun:test';
import { allTexts } from '../../support/console/texts.ts';

type Said = { path: string; text: string };

/** Every text that is made of something, made of `value` throughout. */
function saidOf(part: unknown, value: number, path: string): Said[] {
  if (typeof part === 'function') {
    const values = Array.from({ length: part.length }, () => value);
    return [{ path, text: String(part(...values)) }];
  }
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, inner]) => saidOf(inner, value, `${path}.${name}`));
}

/** What they say is a zone, a name, a difference, or a number in words that is two or more. */
const COUNTING_NOTHING = [
  'retention.foot.through',
  'trends.foot.zone',
  'trends.points',
  'today.foot.zone',
  'today.sentence.several',
  'arrival.invites',
  'funnels.sentence.elsewhere',
  'experiments.splits.as_expected',
].map((path) => `texts.${path}`);

const texts = await allTexts();
const all = (value: number) =>
  saidOf(texts, value, 'texts').filter(({ path }) => !COUNTING_NOTHING.includes(path));
/** Of one and of many; what a word of a text may begin with. */
const NOUNS =
  'app|arm|currency|day|delivery|device|entry|event|hour|mark|month|person|point|purchase|refund|report|row|subscription|trial|view|year';
const VERBS = 'are|were|have|come|count';

test('of one thing no text speaks as of many', () => {
  const wrong = all(1).filter(
    ({ text }) =>
      /\b1 (?:exposed )?(?:people|apps|currencies|days|deliveries|entries|[a-z]{3,}[^s]s)\b/.test(
        text,
      ) || new RegExp(`\\b1 (?:exposed )?\\w+ (?:${VERBS})\\b`).test(text),
  );
  expect(wrong).toEqual([]);
});

test('of many things no text speaks as of one', () => {
  const wrong = all(3).filter(({ text }) =>
    new RegExp(`\\b3 (?:exposed )?(?:${NOUNS})\\b(?!-)`).test(text),
  );
  expect(wrong).toEqual([]);
});

test('texts that count are among those looked at', () => {
  expect(all(1).map(({ text }) => text)).toContain('1 event');
  expect(all(3).map(({ text }) => text)).toContain('3 events');
  expect(all(1).length).toBeGreaterThan(50);
});
