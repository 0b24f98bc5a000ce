import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AppAlias, Projection } from '../../event-store/read.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import type { CountedOfPeople } from './counted.ts';
import type { Tally } from './tally.ts';

export type Found = {
  signature: string;
  /** Rows in memory that were read; they are made anew when they change. */
  memory: readonly WeakRef<Projection>[];
  people: Uint32Array;
};

export type KeptMembers = {
  files: ReadonlyMap<string, string>;
  tallies: readonly Tally[];
  found: Found | null;
};

export const NOTHING_KEPT: KeptMembers = { files: new Map(), tallies: [], found: null };

const MAX_KEPT_BYTES = 128 * 1024 * 1024;
const KEPT_MS = 10 * MINUTE_MS;
const BASE_BYTES = 4_096;
const FILE_BYTES = 256;

/** Files never change; which of them count is the catalogue's word in every question. */
const kept = new LRUCache<string, KeptMembers>({
  maxSize: MAX_KEPT_BYTES,
  ttl: KEPT_MS,
  ttlAutopurge: true,
});

type OfApp = { orgId: string; appId: string; environment: string };

export function countsKey({ orgId, appId, environment }: OfApp, counted: CountedOfPeople) {
  const did = counted.did.map(({ names, where }) => [names, where ?? null]);
  return digest([orgId, appId, environment, did, counted.events]);
}

export const digest = (what: unknown): string =>
  createHash('sha256').update(JSON.stringify(what)).digest('base64');

const digests = new WeakMap<readonly AppAlias[], string>();

export function digestOfAliases(aliases: readonly AppAlias[]): string {
  const known = digests.get(aliases) ?? digest(aliases);
  digests.set(aliases, known);
  return known;
}

export const keptMembers = (key: string): KeptMembers => kept.get(key) ?? NOTHING_KEPT;

export function keepMembers(key: string, members: KeptMembers): void {
  const { files, tallies, found } = members;
  const ofTallies = tallies.reduce((sum, { bytes }) => sum + bytes, 0);
  const size = BASE_BYTES + files.size * FILE_BYTES + ofTallies + (found?.people.byteLength ?? 0);
  kept.set(key, members, { size });
}

export const isFoundAgain = (
  { signature, memory }: Found,
  asked: { signature: string; memory: readonly Projection[] },
): boolean =>
  signature === asked.signature &&
  memory.length === asked.memory.length &&
  memory.every((one, index) => one.deref() === asked.memory[index]);
