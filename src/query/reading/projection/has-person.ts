import { KEY_WORDS } from '../../../event-store/projections.ts';
import { keyWords, type Projection } from '../../../event-store/read.ts';
import { outside } from '../../../shared/assert.ts';

function firstEntry({ keys, entries }: Projection, word: number): number {
  let low = 0;
  let high = entries;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle * KEY_WORDS] < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

function hasKey(projection: Projection, key: readonly number[]): boolean {
  const { keys, entries } = projection;
  const [first = outside()] = key;
  for (let entry = firstEntry(projection, first); entry < entries; entry += 1) {
    const offset = entry * KEY_WORDS;
    if (keys[offset] !== first) return false;
    if (key.every((word, index) => keys[offset + index] === word)) return true;
  }
  return false;
}

export const hasPerson = (projection: Projection, ids: readonly string[]): boolean =>
  ids.some((id) => hasKey(projection, keyWords(id)));
