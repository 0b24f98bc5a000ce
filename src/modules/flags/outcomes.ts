import type { Question, Target } from './compile.ts';
import type { Attribute } from './ofrep.model.ts';

/** Of an attribute; longer texts and the values beyond are asked about again. */
const MAX_VALUES = 1_000;
const MAX_CHARS = 100;
const BITS_OF_CHAR = 16;

/** A bit for each question, packed into characters. */
function answersTo(questions: readonly Question[], value: Attribute): string {
  let text = '';
  for (let start = 0; start < questions.length; start += BITS_OF_CHAR) {
    const some = questions.slice(start, start + BITS_OF_CHAR);
    text += String.fromCharCode(
      some.reduce((bits, { holds }) => bits * 2 + Number(holds(value)), 0),
    );
  }
  return text;
}

function createRead(questions: readonly Question[]): (value: Attribute) => string {
  const known = new Map<Attribute, string>();
  return (value) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const now = answersTo(questions, value);
    if (typeof value === 'string' && value.length > MAX_CHARS) return now;
    if (known.size >= MAX_VALUES) known.clear();
    known.set(value, now);
    return now;
  };
}

/**
 * What all questions come to in a context. Versions, countries and locales make many contexts, of
 * which rules tell few apart.
 */
export function createOutcomes(questions: readonly Question[]): (target: Target) => string {
  const byName = Map.groupBy(questions, ({ name }) => name);
  const reads = [...byName].map(([name, all]) => {
    const unlike = new Map(all.map((question) => [question.key, question]));
    return { name, read: createRead([...unlike.values()]) };
  });
  return ({ attribute }) => {
    let text = '';
    for (const { name, read } of reads) text += read(attribute(name));
    return text;
  };
}
