import { LRUCache } from 'lru-cache';
import { addDays } from '../../../shared/pacific.ts';
import { systemClock } from '../../../shared/time.ts';
import type { Sql } from '../../../storage/postgres.ts';
import { importRates } from './import.ts';
import { latestRevision, type StoredRate, selectRates } from './queries.ts';
import { CARRY_DAYS, createRateTable, type RateTable } from './rate-table.ts';

const SNAPSHOT = new URL('./data/ecb-reference-rates.csv.gz', import.meta.url);
const TABLES_MAX = 8;

export type LoadedRates = RateTable & {
  /** Changes whenever a rate that this day can use does. */
  stamp: (day: string) => number;
};

export type RateSource = {
  /** The rates for days from `from` to `to`, as one consistent set. */
  load: (from: string, to: string) => Promise<LoadedRates>;
};

function loaded(rates: readonly StoredRate[]): LoadedRates {
  const newestOfDay = new Map<string, number>();
  for (const { day, revision } of rates) {
    newestOfDay.set(day, Math.max(newestOfDay.get(day) ?? 0, revision));
  }
  return {
    ...createRateTable(rates),
    stamp: (day) => {
      let newest = 0;
      for (let back = 0; back <= CARRY_DAYS; back += 1) {
        newest = Math.max(newest, newestOfDay.get(addDays(day, -back)) ?? 0);
      }
      return newest;
    },
  };
}

/** Rates out of the database, kept until the next import. A fresh database gets the snapshot. */
export function createRateSource(sql: Sql): RateSource {
  const tables = new LRUCache<string, LoadedRates>({ max: TABLES_MAX });
  return {
    load: async (from, to) => {
      let revision = await latestRevision(sql);
      if (revision === 0) {
        const file = await Bun.file(SNAPSHOT).bytes();
        const source = 'pinned snapshot';
        await importRates({ sql, clock: systemClock }, { file, source, onlyFirst: true });
        revision = await latestRevision(sql);
      }
      const key = `${revision} ${from} ${to}`;
      const cached = tables.get(key);
      if (cached) return cached;
      const table = loaded(await selectRates(sql, addDays(from, -CARRY_DAYS), to));
      tables.set(key, table);
      return table;
    },
  };
}

declare module '../../../context.ts' {
  interface Deps {
    rates: RateSource;
  }
}
