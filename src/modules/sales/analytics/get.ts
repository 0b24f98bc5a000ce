import type { OrgContext } from '../../../context.ts';
import { invalidInput } from '../../../shared/errors.ts';
import { addDays, pacificDay } from '../../../shared/pacific.ts';
import { selectAppNames } from '../collection/apps-queries.ts';
import { selectKey } from '../collection/connection-queries.ts';
import { selectDayStates, selectUnreadable } from '../collection/days-queries.ts';
import { HISTORY_DAYS } from '../collection/plan.ts';
import { selectSync } from '../collection/syncs-queries.ts';
import { hasRates } from '../rates/queries.ts';
import { freshness, lastRun, NEVER_RUN } from './freshness.ts';
import type { Analytics, AnalyticsQuery } from './model.ts';
import { readModel } from './read-model.ts';
import { noFigures } from './sales-figures.ts';
import { resolveWindow } from './window.ts';

const DEFAULT_CURRENCY = 'USD';
/** The base of the rates and the default: accepted without rates. */
const ALWAYS_KNOWN = new Set(['EUR', DEFAULT_CURRENCY]);

async function checkCurrency(
  { deps }: OrgContext<'clock' | 'rates' | 'sql'>,
  currency: string,
): Promise<void> {
  if (ALWAYS_KNOWN.has(currency)) return;
  const day = pacificDay(deps.clock());
  await deps.rates.load(day, day);
  if (await hasRates(deps.sql, currency)) return;
  throw invalidInput('currency', 'there are no exchange rates for it');
}

/**
 * The read model of the organization's sales. Without a connection it is all zeros. Throws
 * `invalid_input` for a window or currency that cannot be answered.
 */
export async function getAnalytics(
  ctx: OrgContext<'clock' | 'rates' | 'salesFigures' | 'sql'>,
  query: AnalyticsQuery,
): Promise<Analytics> {
  const { deps, orgId } = ctx;
  const now = deps.clock();
  const yesterday = addDays(pacificDay(now), -1);
  const window = resolveWindow(query, yesterday);
  const currency = query.currency?.toUpperCase() ?? DEFAULT_CURRENCY;
  await checkCurrency(ctx, currency);
  const key = await selectKey(deps.sql, orgId);
  if (!key) {
    return readModel({
      window,
      currency,
      freshness: freshness(now, new Map(), NEVER_RUN),
      connected: false,
      states: new Map(),
      ...noFigures(),
      apps: new Map(),
    });
  }
  const scope = { orgId, vendorNumber: key.vendorNumber };
  const [states, sync, unreadable, apps] = await Promise.all([
    selectDayStates(deps.sql, scope, 'SALES'),
    selectSync(deps.sql, scope),
    selectUnreadable(
      deps.sql,
      scope,
      ['SALES', 'SUBSCRIPTION_EVENT'],
      addDays(yesterday, -HISTORY_DAYS),
    ),
    selectAppNames(deps.sql, orgId),
  ]);
  const figures = await deps.salesFigures.read({ scope, window, yesterday, currency, apps });
  return readModel({
    window,
    currency,
    freshness: freshness(now, states, lastRun(sync, unreadable)),
    connected: true,
    states,
    ...figures,
    apps: new Map(apps.map((app) => [app.storeAppId, app])),
  });
}
