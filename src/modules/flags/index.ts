import type { Chapter } from '../../chapter.ts';
import type { Logger } from '../../observability/log.ts';
import type { AppScope } from '../../shared/app.ts';
import { type Clock, SECOND_MS, toIso } from '../../shared/time.ts';
import type { Sql } from '../../storage/postgres.ts';
import { type AskRow, addAsks, setBulkAt } from './asks-queries.ts';

export { createFlagSets } from './flag-sets.ts';
export { type DecideNeeds, decideFlag } from './evaluate.ts';
export { flagExists, selectFlagType } from './queries.ts';

const WRITE_EVERY_MS = 10 * SECOND_MS;
/** Further ones are not counted until the next write. */
const MAX_WAITING = 50_000;

type Asker = AppScope & { keyId: string };

type FlagAsks = {
  count: (asker: Asker, flagIds: readonly string[]) => void;
  countBulk: (scope: AppScope) => void;
  /** Writes the pending counts; also on its own, every ten seconds. */
  write: () => Promise<void>;
  close: () => Promise<void>;
};

/** A crash loses ten seconds of them. */
export function createFlagAsks({
  sql,
  clock,
  log,
}: {
  sql: Sql;
  clock: Clock;
  log: Logger;
}): FlagAsks {
  let asks = new Map<string, AskRow>();
  let bulk = new Map<string, AppScope & { at: string }>();
  let timer: ReturnType<typeof setTimeout> | null = null;

  const write = async (): Promise<void> => {
    if (timer) clearTimeout(timer);
    timer = null;
    const [rows, apps] = [[...asks.values()], [...bulk.values()]];
    [asks, bulk] = [new Map(), new Map()];
    try {
      if (rows.length > 0) await addAsks(sql, rows);
      if (apps.length > 0) await setBulkAt(sql, apps);
    } catch (err) {
      log.warn({ err, flags: rows.length }, 'asks of flags not counted');
    }
  };
  const soon = () => {
    timer ??= setTimeout(() => void write(), WRITE_EVERY_MS).unref();
  };
  return {
    count: ({ orgId, appId, keyId }, flagIds) => {
      const at = toIso(clock());
      const day = at.slice(0, 10);
      for (const flagId of flagIds) {
        const id = `${flagId} ${keyId} ${day}`;
        const row = asks.get(id);
        if (row) Object.assign(row, { asks: row.asks + 1, at });
        else if (asks.size < MAX_WAITING)
          asks.set(id, { orgId, appId, flagId, keyId, day, asks: 1, at });
      }
      soon();
    },
    countBulk: ({ orgId, appId }) => {
      bulk.set(appId, { orgId, appId, at: toIso(clock()) });
      soon();
    },
    write,
    close: write,
  };
}

/** Deleted with the app's row. */
export const flagsChapter: Chapter = {
  name: 'flags',
  tables: ['flag_asks', 'flag_sets', 'flag_versions', 'flags'],
};
