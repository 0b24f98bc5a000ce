import { KEY_WORDS } from '../../event-store/projections.ts';
import type { AppAlias } from '../../event-store/read.ts';
import { hasKey, type MemberKeys, memberKeys } from '../reading/projection/members.ts';
import { toKeys } from './find-members.ts';

export function tiedMembers(people: Uint32Array, lateAliases: readonly AppAlias[]): MemberKeys {
  const members = memberKeys(people, people);
  if (lateAliases.length === 0) return members;
  const devices = toKeys(lateAliases.map(({ anonymousId }) => anonymousId));
  const users = toKeys(lateAliases.map(({ userId }) => userId));
  const anyDevice = memberKeys(devices, devices);
  const anonymous = new Uint32Array(people.length + devices.length);
  let length = 0;
  const keep = (keys: Uint32Array, entry: number) => {
    anonymous.set(keys.subarray(entry * KEY_WORDS, (entry + 1) * KEY_WORDS), length);
    length += KEY_WORDS;
  };
  for (let entry = 0; entry * KEY_WORDS < people.length; entry += 1) {
    if (!hasKey(anyDevice, people, entry)) keep(people, entry);
  }
  for (let entry = 0; entry * KEY_WORDS < devices.length; entry += 1) {
    if (hasKey(members, users, entry)) keep(devices, entry);
  }
  return memberKeys(people, anonymous.subarray(0, length));
}
