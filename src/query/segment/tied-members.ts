import { LRUCache } from 'lru-cache';
import { copyKey, KEY_WORDS } from '../../event-store/projections.ts';
import type { AppAlias } from '../../event-store/read.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import { hasKey, type MemberKeys, memberKeys } from '../reading/projection/members.ts';
import { areAlike } from '../reading/projection/stitched-index.ts';
import { toKeys } from './find-members.ts';

type Tied = { aliases: readonly AppAlias[]; members: MemberKeys };

const MAX_KEPT_BYTES = 128 * 1024 * 1024;

/** By the kept people. */
const kept = new LRUCache<Uint32Array, Tied>({
  maxSize: MAX_KEPT_BYTES,
  ttl: MINUTE_MS,
  ttlAutopurge: true,
  updateAgeOnGet: true,
});

function tie(people: Uint32Array, lateAliases: readonly AppAlias[]): MemberKeys {
  const members = memberKeys(people, people);
  if (lateAliases.length === 0) return members;
  const devices = toKeys(lateAliases.map(({ anonymousId }) => anonymousId));
  const users = toKeys(lateAliases.map(({ userId }) => userId));
  const anyDevice = memberKeys(devices, devices);
  const anonymous = new Uint32Array(people.length + devices.length);
  let count = 0;
  const keep = (keys: Uint32Array, entry: number) => {
    copyKey(keys, entry, anonymous, count);
    count += 1;
  };
  for (let entry = 0; entry * KEY_WORDS < people.length; entry += 1) {
    if (!hasKey(anyDevice, people, entry)) keep(people, entry);
  }
  for (let entry = 0; entry * KEY_WORDS < devices.length; entry += 1) {
    if (hasKey(members, users, entry)) keep(devices, entry);
  }
  return memberKeys(people, anonymous.subarray(0, count * KEY_WORDS));
}

export function tiedMembers(people: Uint32Array, lateAliases: readonly AppAlias[]): MemberKeys {
  const known = kept.get(people);
  if (known && areAlike(lateAliases, known.aliases)) return known.members;
  const members = tie(people, lateAliases);
  const size = 1 + members.keys.byteLength + members.kinds.byteLength;
  kept.set(people, { aliases: lateAliases, members }, { size });
  return members;
}
