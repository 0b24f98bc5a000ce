import { LRUCache } from 'lru-cache';
import { addDays } from '../../../shared/pacific.ts';
import { systemClock } from '../../../shared/time.ts';
import type { Sql } from '../../../storage/postgres.ts';
import { importSnapshot } from './import.ts';
import { latestRevision, selectRates } from './queries.ts';
import { CARRY_DAYS, createRateTable, type RateTable } from './rate-table.ts';

const TABLES_MAX = 8;

export type RateSource = {
  load: (from: string, to: string) => Promise<RateTable>;
};

/** Until the next import; fills an empty database. */
export function createRateSource(sql: Sql): RateSource {
  const tables = new LRUCache<string, RateTable>({ max: TABLES_MAX });
  return {
    load: async (from, to) => {
      let revision = await latestRevision(sql);
      if (revision === 0) {
        await importSnapshot({ sql, clock: systemClock }, { onlyFirst: true });
        revision = await latestRevision(sql);
      }
      const key = `${revision} ${from} ${to}`;
      const cached = tables.get(key);
      if (cached) return cached;
      const table = createRateTable(
        await selectRates(sql, addDays(from, -CARRY_DAYS), to),
        revision,
      );
      tables.set(key, table);
      return table;
    },
  };
}
