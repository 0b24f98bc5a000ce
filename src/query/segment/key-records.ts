import { KEY_WORDS } from '../../event-store/projections.ts';
import type { Numbers } from '../reading/projection/numbers.ts';

const HALF_WORD = 2 ** 16;
const WORD = 2 ** 32;

/** A key and a bit in numbers that are exact: 48, 48 and 33 bits. */
export const KEY_NUMBERS = 3;

export function pushKey(records: Numbers, keys: Uint32Array, entry: number, bit: number): void {
  const offset = entry * KEY_WORDS;
  const second = keys[offset + 1];
  records.push(keys[offset] * HALF_WORD + (second >>> 16));
  records.push((second & 0xffff) * WORD + keys[offset + 2]);
  records.push(keys[offset + 3] * 2 + bit);
}

export function readKey(
  records: Float64Array,
  record: number,
  keys: Uint32Array,
  entry: number,
): number {
  const [high, low, last] = [records[record], records[record + 1], records[record + 2]];
  const offset = entry * KEY_WORDS;
  keys[offset] = Math.floor(high / HALF_WORD);
  keys[offset + 1] = (high % HALF_WORD) * HALF_WORD + Math.floor(low / WORD);
  keys[offset + 2] = low % WORD;
  keys[offset + 3] = Math.floor(last / 2);
  return last % 2;
}
