import type { Sql } from '../../storage/postgres.ts';
import { dayOf, ensurePartition } from './partition-store.ts';
import type { LogRecord } from './record.ts';
import { insertFacets, insertLogs, type LogFacet } from './store.ts';

const MOST_KNOWN = 10_000;

/** Remembers up to `MOST_KNOWN` things that are in the database, so that they are written once. */
class Known {
  private readonly keys = new Set<string>();

  has(key: string): boolean {
    return this.keys.has(key);
  }

  add(key: string): void {
    if (this.keys.size >= MOST_KNOWN) this.keys.clear();
    this.keys.add(key);
  }
}

function facetsOf(records: readonly LogRecord[], known: Known): Map<string, LogFacet> {
  const facets = new Map<string, LogFacet>();
  for (const { orgId, at, service, env } of records) {
    const facet = { orgId, day: dayOf(at), service, env: env ?? '' };
    const key = JSON.stringify(facet);
    if (!known.has(key)) facets.set(key, facet);
  }
  return facets;
}

/** The write of the log book: makes what a batch needs, then stores it in one statement. */
export function createLogWrite(sql: Sql): (records: readonly LogRecord[]) => Promise<void> {
  const days = new Known();
  const facets = new Known();
  return async (records) => {
    for (const day of new Set(records.map(({ at }) => dayOf(at)))) {
      if (days.has(day)) continue;
      await ensurePartition(sql, day);
      days.add(day);
    }
    const fresh = facetsOf(records, facets);
    if (fresh.size > 0) await insertFacets(sql, [...fresh.values()]);
    await insertLogs(sql, records);
    for (const key of fresh.keys()) facets.add(key);
  };
}
