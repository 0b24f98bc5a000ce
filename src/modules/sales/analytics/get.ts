import type { AppContext, Deps, OrgContext } from '../../../context.ts';
import { addDays } from '../../../shared/pacific.ts';
import { selectAppNames } from '../collection/apps-queries.ts';
import { selectAccount } from '../collection/connection-queries.ts';
import { storeAppNotFound } from '../collection/import-app.ts';
import { currencyOfAnswer } from '../currency/settings.ts';
import { selectLastRateDay } from '../rates/queries.ts';
import { CARRY_DAYS } from '../rates/rate-table.ts';
import { UNATTRIBUTED } from './fold.ts';
import { freshness } from './freshness.ts';
import { mergeFigures } from './merge-figures.ts';
import { addUp, type PaidUnits, paidUnits } from './metrics.ts';
import type { Analytics, AnalyticsQuery } from './model.ts';
import { readModel } from './read-model.ts';
import { noFigures, type WindowFigures } from './sales-figures.ts';
import { calendarOf, mergeRuns, mergeStates, readSources, type SalesSource } from './sources.ts';
import { resolveWindow } from './window.ts';

type NoSales = 'app_not_linked' | 'store_not_connected';

/** Sales of one app by the store's reports, or the reason for none. */
export async function readSalesOfApp(
  ctx: AppContext<'clock' | 'rates' | 'salesFigures' | 'sql'>,
  query: Omit<AnalyticsQuery, 'storeAppId'>,
): Promise<Analytics | NoSales> {
  const { deps, orgId, app } = ctx;
  if (!(await selectAccount(deps.sql, orgId))) return 'store_not_connected';
  const apps = await selectAppNames(deps.sql, orgId);
  const linked = apps.find(({ appId }) => appId === app.id);
  if (!linked) return 'app_not_linked';
  return getAnalytics(ctx, { ...query, storeAppId: linked.storeAppId });
}

function checkApp(storeAppId: string | undefined, sources: readonly SalesSource[]): void {
  if (storeAppId === undefined || storeAppId === UNATTRIBUTED) return;
  const isKnown = sources.some(({ apps }) => apps.some((app) => app.storeAppId === storeAppId));
  if (!isKnown) throw storeAppNotFound();
}

type Needs = 'clock' | 'rates' | 'salesFigures' | 'sql';
type Read = { model: Analytics; figures: WindowFigures };

export async function getAnalytics(
  ctx: OrgContext<Needs>,
  query: AnalyticsQuery,
): Promise<Analytics> {
  const sources = await readSources(ctx, query.store);
  checkApp(query.storeAppId, sources);
  return (await readAnalytics(ctx, query, sources)).model;
}

export async function readAppSales(
  ctx: OrgContext<Needs>,
  query: { storeAppId: string; days: number },
): Promise<{ model: Analytics; paid: PaidUnits; previousPaid: PaidUnits }> {
  const sources = await readSources(ctx);
  const { model, figures } = await readAnalytics(ctx, query, sources);
  return {
    model,
    paid: paidUnits(addUp(figures.current.apps)),
    previousPaid: paidUnits(addUp(figures.previous.apps)),
  };
}

async function readAnalytics(
  ctx: OrgContext<Needs>,
  query: AnalyticsQuery,
  sources: readonly SalesSource[],
): Promise<Read> {
  const { deps } = ctx;
  const now = deps.clock();
  const currency = await currencyOfAnswer(ctx, query.currency);
  const calendar = calendarOf(query.store);
  const yesterday = addDays(calendar.today(now), -1);
  const window = resolveWindow(query, yesterday);
  const part = {
    storeAppId: query.storeAppId ?? null,
    country: query.country?.toUpperCase() ?? null,
    sku: query.sku ?? null,
  };
  const read = await Promise.all(
    sources.map(({ scope, apps }) =>
      deps.salesFigures.read({ scope, window, yesterday, currency, apps, part }),
    ),
  );
  const figures = read.length === 0 ? noFigures() : mergeFigures(read);
  const states = mergeStates(sources);
  const rates = await endOfRates(deps, figures.current.daysMissingRates);
  const googlePlay = sources.find((source) => source.googlePlay)?.googlePlay;
  const model = readModel({
    window,
    currency,
    freshness: freshness(now, states, mergeRuns(sources), calendar),
    connected: sources.length > 0,
    states,
    ...figures,
    apps: new Map(sources.flatMap(({ apps }) => apps.map((app) => [app.storeAppId, app]))),
  });
  return {
    model: { ...model, ...(rates && { rates }), ...(googlePlay && { googlePlay }) },
    figures,
  };
}

/** Last day with rates, when it explains the missing rate of the newest day. */
async function endOfRates(
  { sql }: Pick<Deps, 'sql'>,
  daysMissingRates: ReadonlySet<string>,
): Promise<Analytics['rates'] | null> {
  const last = [...daysMissingRates].toSorted().at(-1);
  if (last === undefined) return null;
  const through = await selectLastRateDay(sql);
  if (through === null || addDays(through, CARRY_DAYS) >= last) return null;
  return {
    through,
    notice: `The exchange rates end on ${through}. They are read from FX_RATES_URL every six hours; a server without a way out takes the bank's eurofxref-hist.zip with: bun run admin import rates FILE`,
  };
}
