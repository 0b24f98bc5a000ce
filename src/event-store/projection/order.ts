import { KEY_WORDS } from './format.ts';

const DIGIT = 0x10000;
/** Up to this many entries, comparison sort beats radix sort. */
const MAX_COMPARED = 8_192;

/** Word and entry combined in one number. */
function orderOfFew(keys: Uint32Array): Int32Array {
  const numbers = Float64Array.from(
    { length: keys.length / KEY_WORDS },
    (_, entry) => keys[entry * KEY_WORDS] * MAX_COMPARED + entry,
  ).sort();
  return Int32Array.from(numbers, (number) => number % MAX_COMPARED);
}

/** Stable two-digit radix sort. */
export function orderByFirstWord(keys: Uint32Array): Int32Array {
  const entries = keys.length / KEY_WORDS;
  if (entries <= MAX_COMPARED) return orderOfFew(keys);
  let order = Int32Array.from({ length: entries }, (_, entry) => entry);
  for (const shift of [0, 16]) {
    const next = new Int32Array(DIGIT + 1);
    for (let entry = 0; entry < entries; entry += 1) {
      const digit = (keys[entry * KEY_WORDS] >>> shift) & (DIGIT - 1);
      next[digit + 1] += 1;
    }
    for (let digit = 0; digit < DIGIT; digit += 1) {
      next[digit + 1] += next[digit];
    }
    const sorted = new Int32Array(entries);
    for (const entry of order) {
      const digit = (keys[entry * KEY_WORDS] >>> shift) & (DIGIT - 1);
      const place = next[digit];
      sorted[place] = entry;
      next[digit] = place + 1;
    }
    order = sorted;
  }
  return order;
}
