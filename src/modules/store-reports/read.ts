import type { AppContext } from '../../context.ts';
import { APP_REPORTS } from '../../providers/store/port.ts';
import { addDays, pacificDay } from '../../shared/pacific.ts';
import { readSalesOfApp, resolveWindow } from '../sales/index.ts';
import { type Span, selectDaily, selectDayCounts, selectSums } from './facts-queries.ts';
import { type OtherDay, storeFunnel } from './funnel.ts';
import { ROWS_MAX, type StoreReports, type StoreReportsQuery } from './model.ts';
import { toWire } from './request.ts';
import { selectRequests, selectReportErrors } from './requests-queries.ts';

type Needs = 'clock' | 'rates' | 'salesFigures' | 'sql';

async function salesByDay(ctx: AppContext<Needs>, { from, to }: Span): Promise<OtherDay[]> {
  const sales = await readSalesOfApp(ctx, { from, to });
  if (typeof sales === 'string') return [];
  return sales.series.flatMap(({ day, covered, downloads, trials }) =>
    covered ? [{ day, downloads, trials }] : [],
  );
}

/** Throws `invalid_input`. */
export async function getStoreReports(
  ctx: AppContext<Needs>,
  query: StoreReportsQuery,
): Promise<StoreReports> {
  const { deps, orgId, app } = ctx;
  const yesterday = addDays(pacificDay(deps.clock()), -1);
  const { from, to } = resolveWindow(query, yesterday);
  const { storeAppId } = app;
  if (storeAppId === null) return { from, to, requests: [], tables: [], funnel: [] };
  const scope = { orgId, storeAppId };
  const requests = await selectRequests(deps.sql, scope);
  const [errors, known, sums, daily, others] = await Promise.all([
    selectReportErrors(deps.sql, scope),
    selectDayCounts(deps.sql, scope, { from, to }),
    selectSums(deps.sql, scope, { from, to }, ROWS_MAX),
    selectDaily(deps.sql, scope, { from, to }),
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
