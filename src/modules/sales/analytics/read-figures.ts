import type { Deps } from '../../../context.ts';
import { limitConcurrency } from '../../../shared/concurrency.ts';
import { AppError } from '../../../shared/errors.ts';
import type { StoreAppName } from '../collection/apps-queries.ts';
import type { DayScope, VendorScope } from '../collection/days-queries.ts';
import { appIndex, emptyFigures, type Figures, foldPack } from './fold.ts';
import type { SumsByKey } from './metrics.ts';
import { forEachPack, packDay } from './queries.ts';
import type { Window } from './window.ts';

const ATTEMPTS = 5;
const PACKED_AT_ONCE = 2;

export type FiguresInput = {
  scope: VendorScope;
  window: Window;
  yesterday: string;
  currency: string;
  apps: readonly StoreAppName[];
};
export type WindowFigures = {
  current: Figures;
  previous: Figures;
  yesterday: SumsByKey | undefined;
};

/** Folds the reports of one snapshot; `unpacked` are those that it could not. */
async function foldReports({ sql, rates }: Pick<Deps, 'sql' | 'rates'>, input: FiguresInput) {
  const { scope, window, yesterday, currency } = input;
  const figures = { current: emptyFigures(), previous: emptyFigures(), other: emptyFigures() };
  const unpacked: DayScope[] = [];
  const [from = yesterday] = [window.previousFrom, yesterday].toSorted();
  const [to = yesterday] = [window.to, yesterday].toSorted().toReversed();
  const context = { currency, rates: await rates.load(from, to), apps: appIndex(input.apps) };
  const figuresOf = (day: string): Figures => {
    if (window.from <= day && day <= window.to) return figures.current;
    return window.previousFrom <= day && day < window.from ? figures.previous : figures.other;
  };
  const days = { from: window.previousFrom, to: window.to, and: yesterday };
  await sql.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', (tx) =>
    forEachPack(tx, scope, days, ({ day, reportType, pack }) => {
      if (pack) foldPack(pack, { ...context, day }, figuresOf(day));
      else unpacked.push({ ...scope, day, reportType });
    }),
  );
  const { current, previous } = figures;
  return { unpacked, current, previous, yesterday: figuresOf(yesterday).days.get(yesterday) };
}

/**
 * The figures of a window, of the one before it and of yesterday, all of one snapshot. Reports that
 * another release wrote are packed first.
 */
export async function readFigures(deps: Deps, input: FiguresInput): Promise<WindowFigures> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { unpacked, ...figures } = await foldReports(deps, input);
    if (unpacked.length === 0) return figures;
    const limit = limitConcurrency(PACKED_AT_ONCE);
    await Promise.all(unpacked.map((day) => limit(() => packDay(deps.sql, day))));
  }
  throw new AppError('unavailable', 'The sales are being rewritten. Try again in a moment.');
}
