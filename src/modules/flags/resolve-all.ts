import { LRUCache } from 'lru-cache';
import { answerFor, type CompiledFlag, type Resolved, type Target } from './compile.ts';

/** Devices of an app differ in few versions, countries and locales. */
const MAX_CONTEXTS = 200;

const OPEN = Buffer.from('{"flags":[');
const CLOSE = Buffer.from(']}');
const COMMA = 0x2c;

/** Body of the answer with all flags; bytes are joined in half the time of texts. */
function bodyOf(answers: readonly Buffer[]): Buffer<ArrayBuffer> {
  const commas = Math.max(0, answers.length - 1);
  const length = answers.reduce(
    (sum, one) => sum + one.length,
    OPEN.length + commas + CLOSE.length,
  );
  const body = Buffer.allocUnsafe(length);
  body.set(OPEN);
  let end = OPEN.length;
  for (const [index, answer] of answers.entries()) {
    if (index > 0) {
      body[end] = COMMA;
      end += 1;
    }
    body.set(answer, end);
    end += answer.length;
  }
  body.set(CLOSE, end);
  return body;
}

/** Conditions are looked at once for all with the same attributes. */
export function createEvaluateAll(flags: readonly CompiledFlag[]) {
  const names = [...new Set(flags.flatMap(({ attributes }) => attributes))];
  const known = new LRUCache<string, readonly Resolved[]>({ max: MAX_CONTEXTS });
  return ({ person, attribute }: Target): Buffer<ArrayBuffer> => {
    const context = JSON.stringify(names.map(attribute));
    let resolved = known.get(context);
    if (!resolved) {
      resolved = flags.map(({ resolve }) => resolve(attribute));
      known.set(context, resolved);
    }
    return bodyOf(resolved.map((one) => answerFor(one, person).json));
  };
}
