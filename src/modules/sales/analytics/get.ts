import type { Deps, OrgContext } from '../../../context.ts';
import { addDays, pacificDay } from '../../../shared/pacific.ts';
import { type StoreAppName, selectAppNames } from '../collection/apps-queries.ts';
import { selectAccount } from '../collection/connection-queries.ts';
import { storeAppNotFound } from '../collection/link.ts';
import { selectSync } from '../collection/syncs-queries.ts';
import { currencyOfAnswer } from '../currency/settings.ts';
import { HISTORY_DAYS } from '../days/plan.ts';
import { selectDayStates, selectUnreadable } from '../days/queries.ts';
import { selectLastRateDay } from '../rates/queries.ts';
import { CARRY_DAYS } from '../rates/rate-table.ts';
import { UNATTRIBUTED } from './fold.ts';
import { freshness, lastRun, NEVER_RUN } from './freshness.ts';
import { type PaidUnits, paidUnits, addUp } from './metrics.ts';
import type { Analytics, AnalyticsQuery } from './model.ts';
import { readModel } from './read-model.ts';
import { noFigures, type WindowFigures } from './sales-figures.ts';
import { resolveWindow } from './window.ts';

function checkApp(storeAppId: string | null, apps: readonly StoreAppName[]): void {
  if (storeAppId === null || storeAppId === UNATTRIBUTED) return;
  if (!apps.some((app) => app.storeAppId === storeAppId)) throw storeAppNotFound();
}

type Needs = 'clock' | 'rates' | 'salesFigures' | 'sql';
type Read = { model: Analytics; figures: WindowFigures };

export async function getAnalytics(
  ctx: OrgContext<Needs>,
  query: AnalyticsQuery,
): Promise<Analytics> {
  checkApp(query.storeAppId ?? null, await selectAppNames(ctx.deps.sql, ctx.orgId));
  return (await readAnalytics(ctx, query)).model;
}

export async function readAppSales(
  ctx: OrgContext<Needs>,
  query: { storeAppId: string; days: number },
): Promise<{ model: Analytics; paid: PaidUnits; previousPaid: PaidUnits }> {
  const { model, figures } = await readAnalytics(ctx, query);
  return {
    model,
    paid: paidUnits(addUp(figures.current.apps)),
    previousPaid: paidUnits(addUp(figures.previous.apps)),
  };
}

async function readAnalytics(ctx: OrgContext<Needs>, query: AnalyticsQuery): Promise<Read> {
  const { deps, orgId } = ctx;
  const now = deps.clock();
  const yesterday = addDays(pacificDay(now), -1);
  const window = resolveWindow(query, yesterday);
  const currency = await currencyOfAnswer(ctx, query.currency);
  const apps = await selectAppNames(deps.sql, orgId);
  const part = {
    storeAppId: query.storeAppId ?? null,
    country: query.country?.toUpperCase() ?? null,
    sku: query.sku ?? null,
  };
  const account = await selectAccount(deps.sql, orgId);
  if (!account) {
    const figures = noFigures();
    const model = readModel({
      window,
      currency,
      freshness: freshness(now, new Map(), NEVER_RUN),
      connected: false,
      states: new Map(),
      ...figures,
      apps: new Map(),
    });
    return { model, figures };
  }
  const scope = { orgId, vendorNumber: account.vendorNumber };
  const [states, sync, unreadable] = await Promise.all([
    selectDayStates(deps.sql, scope, 'SALES'),
    selectSync(deps.sql, scope),
    selectUnreadable(
      deps.sql,
      scope,
      ['SALES', 'SUBSCRIPTION_EVENT'],
      addDays(yesterday, -HISTORY_DAYS),
    ),
  ]);
  const figures = await deps.salesFigures.read({ scope, window, yesterday, currency, apps, part });
  const rates = await endOfRates(deps, figures.current.daysMissingRates);
  const model = readModel({
    window,
    currency,
    freshness: freshness(now, states, lastRun(sync, unreadable)),
    connected: true,
    states,
    ...figures,
    apps: new Map(apps.map((app) => [app.storeAppId, app])),
  });
  return { model: rates ? { ...model, rates } : model, figures };
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
