/** A number of 16 digits, perhaps: cheap, since few texts have so many. */
const MANY_DIGITS = /\d{16}[\s,\]}]/;
/** No fraction. */
const WHOLE = /[^".\d]\d{16}/;
const INTEGER = /^-?\d+$/;

export function toExact(digits: string): number | string {
  const number = Number(digits);
  if (Number.isSafeInteger(number) || !INTEGER.test(digits)) return number;
  return String(number) === digits ? number : digits;
}

const exactOrText = (_name: string, value: unknown, context?: { source: string }): unknown =>
  typeof value === 'number' && context ? toExact(context.source) : value;

/** Integers that JavaScript would round are their digits, as text. */
export const parseExact = (json: string): unknown =>
  MANY_DIGITS.test(json) && WHOLE.test(json) ? JSON.parse(json, exactOrText) : JSON.parse(json);
