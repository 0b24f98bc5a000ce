import { type AppAlias, keyWords, orderByFirstWord } from '../../../event-store/read.ts';
import { outside } from '../../../shared/assert.ts';
import type { StitchedIndex } from './stitched-keys.ts';

const KEY_WORDS = 4;

export function stitchedIndex(aliases: readonly AppAlias[]): StitchedIndex {
  const ids = new Set<string>();
  for (const { anonymousId, userId } of aliases) ids.add(anonymousId).add(userId);
  const unordered = [...ids];
  const count = unordered.length;
  const words = new Uint32Array(count * KEY_WORDS);
  for (const [place, id] of unordered.entries()) words.set(keyWords(id), place * KEY_WORDS);
  const keys = new Uint32Array(words.length);
  const userOf = new Int32Array(count).fill(-1);
  const numbers = new Map<string, number>();
  for (const [number, place] of orderByFirstWord(words).entries()) {
    const offset = place * KEY_WORDS;
    keys.set(words.subarray(offset, offset + KEY_WORDS), number * KEY_WORDS);
    numbers.set(unordered[place], number);
  }
  for (const { anonymousId, userId } of aliases) {
    userOf[numbers.get(anonymousId) ?? outside()] = numbers.get(userId) ?? outside();
  }
  return { count, keys, userOf };
}
