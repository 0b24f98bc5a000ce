import { type Stats, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { limitConcurrency } from '../../shared/concurrency.ts';
import { singleFlight } from '../../shared/single-flight.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import { DamagedFile } from '../../storage/damaged-file.ts';
import { MissingRows } from '../../storage/missing-rows.ts';
import type { Check, ObjectStore } from '../../storage/object-store/port.ts';
import { besidePool, type Sql } from '../../storage/postgres.ts';
import { EVENT_OBJECTS, PROJECTIONS } from '../objects/names.ts';
import type { Reporter } from '../store.ts';
import { blocksOf, countBlocks, findFault, readSums, type Sums } from './blocks.ts';
import { deleteSums, insertSums, noteDamage, selectSums } from './queries.ts';

const MAX_FILES = 100_000;
const READS_AT_ONCE = 16;

type Seen = { sums: Sums; checked: Uint8Array };

type CheckedPlace = { objects: ObjectStore; sql: Sql; log: Pick<Reporter, 'error'> };

const identify = (path: string, { ino, size, birthtimeMs }: Stats) =>
  `${path} ${ino} ${size} ${birthtimeMs}`;

class FileChecks {
  readonly #place: CheckedPlace;
  readonly #seen = new LRUCache<string, Seen>({ max: MAX_FILES });
  readonly #withoutSums = new LRUCache<string, true>({ max: MAX_FILES, ttl: MINUTE_MS });
  readonly #once = singleFlight<string | null>();
  /** Odd while one is under way. */
  readonly #downloads = new LRUCache<string, number>({ max: MAX_FILES });
  readonly #fetch = singleFlight<void>();
  readonly #limited = limitConcurrency(READS_AT_ONCE);
  #next: { keys: string[]; sums: Promise<Map<string, Sums>> } | null = null;

  constructor(place: CheckedPlace) {
    this.#place = place;
  }

  async open(key: string, { part, when = 'first' }: Check = {}): Promise<string> {
    const { objects, sql, log } = this.#place;
    const counted = () => this.#downloads.get(key) ?? 0;
    const before = counted();
    const path = await objects.localPath(key);
    if (when === 'never') return path;
    const faultOf = () =>
      this.#once(`${key} ${part?.from} ${part?.to} ${when}`, () =>
        this.#faultOf(key, path, { part, when }),
      );
    let fault = await faultOf();
    if (fault !== null && objects.isRemote) {
      await this.#fetchAgain(key, path);
      fault = await faultOf();
    }
    if (fault === null) {
      const isSame = counted() === before && before % 2 === 0;
      if (when !== 'used' || isSame) return path;
      throw new MissingRows(`${key} was fetched again.`);
    }
    if (await noteDamage(sql, key, fault)) log.error({ path: key, fault }, 'a file is damaged');
    throw new DamagedFile(key, fault);
  }

  #fetchAgain(key: string, path: string): Promise<void> {
    const count = () => this.#downloads.set(key, (this.#downloads.get(key) ?? 0) + 1);
    return this.#fetch(key, async () => {
      count();
      try {
        await rm(path, { force: true });
        await this.#place.objects.localPath(key);
      } finally {
        count();
      }
    });
  }

  async #faultOf(key: string, path: string, { part, when }: Check): Promise<string | null> {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    const id = identify(path, stats);
    const seen = this.#seen.get(id) ?? (await this.#look(key));
    if (seen === null) return null;
    const blocks = blocksOf(seen.sums.bytes, part);
    const unchecked = when === 'anew' ? blocks : blocks.filter((block) => !seen.checked[block]);
    if (unchecked.length === 0 && stats.size === seen.sums.bytes) return null;
    const fault = await this.#limited(() => findFault(path, seen.sums, unchecked));
    if (fault !== null) {
      this.#seen.delete(id);
      return fault;
    }
    for (const block of unchecked) seen.checked[block] = 1;
    this.#seen.set(id, seen);
    return null;
  }

  async #look(key: string): Promise<Seen | null> {
    if (this.#withoutSums.has(key)) return null;
    const sums = (await this.#sumsOf(key)).get(key);
    if (sums) return { sums, checked: new Uint8Array(countBlocks(sums.bytes)) };
    this.#withoutSums.set(key, true);
    return null;
  }

  #sumsOf(key: string): Promise<Map<string, Sums>> {
    if (this.#next === null) {
      const keys: string[] = [];
      const sums = new Promise<void>((done) => setImmediate(done)).then(() => {
        this.#next = null;
        return selectSums(this.#place.sql, keys);
      });
      this.#next = { keys, sums };
    }
    this.#next.keys.push(key);
    return this.#next.sums;
  }
}

const isSummed = (key: string) => key.startsWith(EVENT_OBJECTS);

/** Projections have their own checksum. */
export function checkedObjectStore({ objects, log, ...given }: CheckedPlace): ObjectStore {
  // Also called within transactions.
  const sql = besidePool(given.sql);
  const checks = new FileChecks({ objects, log, sql });
  return {
    ...objects,
    adopt: async (scratchPath, key) => {
      if (isSummed(key)) await insertSums(sql, key, await readSums(scratchPath));
      await objects.adopt(scratchPath, key);
    },
    localPath: (key, check) => (isSummed(key) ? checks.open(key, check) : objects.localPath(key)),
    remove: async (key) => {
      await objects.remove(key);
      if (isSummed(key) || key.startsWith(PROJECTIONS)) await deleteSums(sql, [key]);
    },
  };
}
