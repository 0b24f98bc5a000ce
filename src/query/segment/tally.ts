import { copyKey, KEY_WORDS } from '../../event-store/projections.ts';
import { orderByFirstWord, type Projection } from '../../event-store/read.ts';
import type { CountedOfPeople } from './counted.ts';
import { KEY_NUMBERS, readKey } from './key-records.ts';

type Counts = Uint8Array | Uint16Array | Uint32Array;

export type Tally = {
  projection: Projection;
  counts: readonly Counts[];
  firstUs: Float64Array | null;
  bytes: number;
};

const createProfile = (isAnonymous: boolean) => ({ isAnonymous, platforms: [], versions: [] });
const PROFILES = [createProfile(false), createProfile(true)];

function narrow(counts: Uint32Array): Counts {
  let most = 0;
  for (const count of counts) if (count > most) most = count;
  if (most < 2 ** 8) return Uint8Array.from(counts);
  return most < 2 ** 16 ? Uint16Array.from(counts) : counts;
}

function toProjection(keys: Uint32Array, profiles: Uint8Array): Projection {
  return {
    ...{ origin: { bytes: new Uint8Array() }, checksum: '', owner: null, baseUs: 0, sections: [] },
    ...{ rows: 0, entries: profiles.length, keys, profileOf: profiles, profiles: PROFILES },
    hasSenders: false,
  };
}

export function toTally(records: Float64Array, { did, events }: CountedOfPeople): Tally {
  const hasFirst = events === 'first';
  const firstCount = KEY_NUMBERS + (hasFirst ? 1 : 0);
  const width = firstCount + did.length;
  const entries = records.length / width;
  const unordered = new Uint32Array(entries * KEY_WORDS);
  const bits = new Uint8Array(entries);
  for (let entry = 0; entry < entries; entry += 1) {
    bits[entry] = readKey(records, entry * width, unordered, entry);
  }
  const order = orderByFirstWord(unordered);
  const keys = new Uint32Array(unordered.length);
  const profiles = new Uint8Array(entries);
  const firstUs = hasFirst ? new Float64Array(entries) : null;
  const all = did.map(() => new Uint32Array(entries));
  for (let entry = 0; entry < entries; entry += 1) {
    const from = order[entry];
    const record = from * width;
    copyKey(unordered, from, keys, entry);
    profiles[entry] = bits[from];
    if (firstUs) firstUs[entry] = records[record + KEY_NUMBERS];
    for (let clause = 0; clause < all.length; clause += 1) {
      all[clause][entry] = records[record + firstCount + clause];
    }
  }
  const counts = all.map(narrow);
  const arrays = [keys, profiles, ...counts, ...(firstUs ? [firstUs] : [])];
  const bytes = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return { projection: toProjection(keys, profiles), counts, firstUs, bytes };
}
