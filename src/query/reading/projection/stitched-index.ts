import { copyKey, KEY_WORDS } from '../../../event-store/projections.ts';
import { LRUCache } from 'lru-cache';
import { type AppAlias, keyWords, orderByFirstWord } from '../../../event-store/read.ts';
import type { AppScope } from '../../../shared/app.ts';
import { at, outside } from '../../../shared/assert.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
import type { StitchedIndex } from './stitched-keys.ts';

const MAX_KEPT_ALIASES = 200_000;

/** By app, since hashing takes longer than many a question. */
const kept = new LRUCache<string, { aliases: readonly AppAlias[]; index: StitchedIndex }>({
  maxSize: MAX_KEPT_ALIASES,
  ttl: MINUTE_MS,
  ttlAutopurge: true,
  updateAgeOnGet: true,
});

export const areAlike = (aliases: readonly AppAlias[], others: readonly AppAlias[]): boolean =>
  aliases === others ||
  (aliases.length === others.length &&
    aliases.every(({ anonymousId, userId }, index) => {
      const other = at(others, index);
      return anonymousId === other.anonymousId && userId === other.userId;
    }));

function createIndex(aliases: readonly AppAlias[]): StitchedIndex {
  const ids = new Set<string>();
  for (const { anonymousId, userId } of aliases) ids.add(anonymousId).add(userId);
  const unordered = [...ids];
  const count = unordered.length;
  const words = new Uint32Array(count * KEY_WORDS);
  for (const [place, id] of unordered.entries()) words.set(keyWords(id), place * KEY_WORDS);
  const keys = new Uint32Array(new SharedArrayBuffer(words.byteLength));
  const userOf = new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT));
  userOf.fill(-1);
  const numbers = new Map<string, number>();
  for (const [number, place] of orderByFirstWord(words).entries()) {
    copyKey(words, place, keys, number);
    numbers.set(unordered[place], number);
  }
  for (const { anonymousId, userId } of aliases) {
    userOf[numbers.get(anonymousId) ?? outside()] = numbers.get(userId) ?? outside();
  }
  return { count, keys, userOf };
}

const NONE = createIndex([]);

export function stitchedIndex(
  { orgId, appId }: AppScope,
  aliases: readonly AppAlias[],
): StitchedIndex {
  if (aliases.length === 0) return NONE;
  const key = `${orgId} ${appId}`;
  const known = kept.get(key);
  if (known && areAlike(aliases, known.aliases)) return known.index;
  const index = createIndex(aliases);
  kept.set(key, { aliases, index }, { size: 1 + aliases.length });
  return index;
}
