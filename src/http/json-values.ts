import { AppError } from '../shared/errors.ts';

/** 20,000 events with 50 values each; those of real batches take twice the bytes. */
const MAX_VALUES = 1_000_000;

const [QUOTE, COMMA, BACKSLASH, BRACKET, BRACE] = [...'",\\[{'].map((sign) => sign.charCodeAt(0));

/** Commas and opening brackets outside of texts, until there are more than `max`. */
function countValues(json: string, max: number): number {
  let values = 0;
  let isText = false;
  for (let index = 0; index < json.length && values <= max; index += 1) {
    const code = json.charCodeAt(index);
    if (isText) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) isText = false;
    } else if (code === QUOTE) isText = true;
    else if (code === COMMA || code === BRACKET || code === BRACE) values += 1;
  }
  return values;
}

/** Parsing takes time by values, not by bytes. Throws `body_too_large`. */
export function checkValues(json: string): void {
  if (countValues(json, MAX_VALUES) <= MAX_VALUES) return;
  throw new AppError('body_too_large', 'The batch holds too many values.', {
    hint: `body: at most ${MAX_VALUES} values`,
  });
}
