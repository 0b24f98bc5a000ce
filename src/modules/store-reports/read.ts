import type { AppContext } from '../../context.ts';
import { APP_REPORTS, type AppReport } from '../../providers/store/port.ts';
import { addDays, pacificDay } from '../../shared/pacific.ts';
import { readSalesOfApp, resolveWindow } from '../sales/index.ts';
import * as facts from './facts-queries.ts';
import * as model from './model.ts';
import { toWire } from './request.ts';
import { selectReportErrors, selectRequests } from './requests-queries.ts';

type OtherDay = { day: string; downloads: number; trials: number };
type StepName = model.StoreFunnelStep['step'];

const bare = (word: string): string => word.toLowerCase().replace(/[^a-z]/g, '');

const STEPS: Readonly<
  Record<StepName, { report: AppReport; has: (row: facts.DailyCount) => boolean }>
> = {
  impression: { report: 'engagement', has: ({ kind }) => bare(kind) === 'impression' },
  page_view: { report: 'engagement', has: ({ kind }) => bare(kind) === 'pageview' },
  download: { report: 'downloads', has: ({ kind }) => bare(kind) === 'firsttimedownload' },
  trial: { report: 'subscription_event', has: ({ kind }) => bare(kind) === 'freetrialstarts' },
  paid: {
    report: 'subscription_event',
    has: ({ grouping, kind }) =>
      bare(grouping) === 'paidsubscriptionstarts' ||
      /^(fullprice|contingentprice)fromfreetrial$/.test(bare(kind)),
  },
};

const OTHERS = {
  download: { source: 'sales', of: (day: OtherDay) => day.downloads },
  trial: { source: 'subscription_events', of: (day: OtherDay) => day.trials },
} as const;

type Known = { report: AppReport; day: string };

/** Both sources on the days that both have; a day without either compares nothing. */
function storeFunnel(
  rows: readonly facts.DailyCount[],
  known: readonly Known[],
  others: readonly OtherDay[],
): model.StoreFunnelStep[] {
  return model.FUNNEL_STEPS.map((step) => {
    const { report, has } = STEPS[step];
    const days = new Set(known.flatMap((one) => (one.report === report ? [one.day] : [])));
    const own = rows.filter((row) => row.report === report && has(row));
    const sumOn = (on: (day: string) => boolean) =>
      own.reduce((sum, { day, count }) => (on(day) ? sum + count : sum), 0);
    const other = step === 'download' || step === 'trial' ? OTHERS[step] : null;
    const both = new Map(others.flatMap((one) => (days.has(one.day) ? [[one.day, one]] : [])));
    const here = sumOn((day) => both.has(day));
    const there = other ? [...both.values()].reduce((sum, day) => sum + other.of(day), 0) : 0;
    return {
      step,
      count: days.size === 0 ? null : sumOn(() => true),
      other:
        other && both.size > 0
          ? { source: other.source, days: both.size, here, there, difference: here - there }
          : null,
    };
  });
}

type Needs = 'clock' | 'rates' | 'salesFigures' | 'sql';

async function salesByDay(ctx: AppContext<Needs>, { from, to }: facts.Span): Promise<OtherDay[]> {
  const sales = await readSalesOfApp(ctx, { from, to });
  if (typeof sales === 'string') return [];
  return sales.series.flatMap(({ day, covered, downloads, trials }) =>
    covered ? [{ day, downloads, trials }] : [],
  );
}

/** Throws `invalid_input`. */
export async function getStoreReports(
  ctx: AppContext<Needs>,
  query: model.StoreReportsQuery,
): Promise<model.StoreReports> {
  const { deps, orgId, app } = ctx;
  const yesterday = addDays(pacificDay(deps.clock()), -1);
  const { from, to } = resolveWindow(query, yesterday);
  const { storeAppId } = app;
  if (storeAppId === null) return { from, to, requests: [], tables: [], funnel: [] };
  const scope = { orgId, storeAppId };
  const requests = await selectRequests(deps.sql, scope);
  const [errors, known, sums, daily, others] = await Promise.all([
    selectReportErrors(deps.sql, scope),
    facts.selectDayCounts(deps.sql, scope, { from, to }),
    facts.selectSums(deps.sql, scope, { from, to }, model.ROWS_MAX),
    facts.selectDaily(deps.sql, scope, { from, to }),
    salesByDay(ctx, { from, to }),
  ]);
  const tables = APP_REPORTS.map((report) => ({
    report,
    days: known.flatMap((one) => (one.report === report ? [one.day] : [])),
    lastError: errors.find((one) => one.report === report)?.message ?? null,
    rows: sums.flatMap(({ report: of, day, kind, grouping, source, version, count, seconds }) =>
      of === report ? [{ day, kind, grouping, source, version, count, seconds }] : [],
    ),
  }));
  return {
    from,
    to,
    requests: requests.map(toWire),
    tables,
    funnel: storeFunnel(daily, known, others),
  };
}
