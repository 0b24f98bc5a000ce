import { LRUCache } from 'lru-cache';
import { limitConcurrency } from '../../../shared/concurrency.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Sql } from '../../../storage/postgres.ts';
import type { StoreAppName } from '../collection/apps-queries.ts';
import { forEachPack, packDay, selectRowsVersion, selectStoreIds } from '../days/packs-queries.ts';
import type { DayScope, VendorScope } from '../days/queries.ts';
import type { RateSource } from '../rates/source.ts';
import { appIndex, emptyFigures, type Figures, foldPack, type Part } from './fold.ts';
import type { SumsByKey } from './metrics.ts';
import type { Window } from './window.ts';

const ATTEMPTS = 5;
const PACKED_AT_ONCE = 2;
/** A year of a large account takes about a megabyte. */
const KEPT_MAX = 32;

export type FiguresInput = {
  scope: VendorScope;
  window: Window;
  yesterday: string;
  currency: string;
  apps: readonly StoreAppName[];
  part: Omit<Part, 'storeIds'>;
};
export type WindowFigures = {
  readonly current: Figures;
  readonly previous: Figures;
  readonly yesterday: SumsByKey | undefined;
};

export const noFigures = (): WindowFigures => ({
  current: emptyFigures(),
  previous: emptyFigures(),
  yesterday: undefined,
});

export type SalesFigures = {
  /** From one snapshot. Repacks reports of another release first. */
  read: (input: FiguresInput) => Promise<WindowFigures>;
};

type Reading = { figures: WindowFigures; unpacked: DayScope[] };

/** Cached by the versions of rows, rates and apps. */
export function createSalesFigures(sql: Sql, rates: RateSource): SalesFigures {
  const kept = new LRUCache<string, WindowFigures>({ max: KEPT_MAX });

  const foldReports = async (input: FiguresInput): Promise<Reading> => {
    const { scope, window, yesterday, currency, part } = input;
    const [from = yesterday] = [window.previousFrom, yesterday].toSorted();
    const [to = yesterday] = [window.to, yesterday].toSorted().toReversed();
    const table = await rates.load(from, to);
    const days = { from: window.previousFrom, to: window.to, and: yesterday };
    return sql.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', async (tx): Promise<Reading> => {
      const version = await selectRowsVersion(tx, scope, days);
      const apps = input.apps.map(({ storeAppId, sku }) => [storeAppId, sku]);
      const state = [version, table.revision, apps];
      const key = JSON.stringify([scope, days, window, currency, part, state]);
      const earlier = kept.get(key);
      if (earlier) return { figures: earlier, unpacked: [] };

      const storeIds = part.sku === null ? [] : await selectStoreIds(tx, scope, days, part.sku);
      const asked = { ...part, storeIds: new Set(storeIds) };
      const context = { currency, rates: table, apps: appIndex(input.apps), part: asked };

      const folded = { current: emptyFigures(), previous: emptyFigures(), other: emptyFigures() };
      const figuresOf = (day: string): Figures => {
        if (window.from <= day && day <= window.to) return folded.current;
        return window.previousFrom <= day && day < window.from ? folded.previous : folded.other;
      };
      const unpacked: DayScope[] = [];
      await forEachPack(tx, scope, days, ({ day, reportType, pack }) => {
        if (pack) foldPack(pack, { ...context, day }, figuresOf(day));
        else unpacked.push({ ...scope, day, reportType });
      });
      const { current, previous } = folded;
      const figures = { current, previous, yesterday: figuresOf(yesterday).days.get(yesterday) };
      if (unpacked.length === 0) kept.set(key, figures);
      return { figures, unpacked };
    });
  };

  return {
    read: async (input) => {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const { unpacked, figures } = await foldReports(input);
        if (unpacked.length === 0) return figures;
        const limit = limitConcurrency(PACKED_AT_ONCE);
        await Promise.all(unpacked.map((day) => limit(() => packDay(sql, day))));
      }
      throw new AppError('unavailable', 'The sales are being rewritten. Try again in a moment.');
    },
  };
}
