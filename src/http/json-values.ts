import { AppError } from '../shared/errors.ts';

/** 20,000 events of 50 values. */
const MAX_VALUES = 1_000_000;
/** Slower to parse; accepted events are narrower. */
const WIDE_MEMBERS = 1_000;
const WIDE_COST = 4;
const OBJECT_COST = 2;

const [QUOTE, COMMA, BACKSLASH, LIST, LIST_END, OBJECT, OBJECT_END] = [...'",\\[]{}'].map((sign) =>
  sign.charCodeAt(0),
);

function endOfText(json: string, start: number): number {
  let index = start;
  for (; index < json.length && json.charCodeAt(index) !== QUOTE; index += 1) {
    if (json.charCodeAt(index) === BACKSLASH) index += 1;
  }
  return index;
}

function countValues(json: string, max: number): number {
  const outer: number[] = [];
  let [values, members] = [0, 0];
  for (let index = 0; index < json.length && values <= max; index += 1) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) index = endOfText(json, index + 1);
    else if (code === COMMA) {
      members += 1;
      values += members > WIDE_MEMBERS ? WIDE_COST : 1;
    } else if (code === LIST || code === OBJECT) {
      outer.push(members);
      members = 0;
      values += code === OBJECT ? OBJECT_COST : 1;
    } else if (code === LIST_END || code === OBJECT_END) {
      // The parser refuses unbalanced JSON.
      members = outer.pop() ?? 0;
    }
  }
  return values;
}

/** Parsing costs time by values, not bytes. */
export function checkValues(json: string): void {
  if (countValues(json, MAX_VALUES) <= MAX_VALUES) return;
  throw new AppError('body_too_large', 'The batch holds too many values.', {
    hint: `body: at most ${MAX_VALUES} values`,
  });
}
