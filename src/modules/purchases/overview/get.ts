import type { AppContext, Deps } from '../../../context.ts';
import { limitConcurrency } from '../../../shared/concurrency.ts';
import { isReal, REAL_PURCHASES } from '../../../shared/environment.ts';
import { invalidInput } from '../../../shared/errors.ts';
import type { Store } from '../../../shared/stores.ts';
import { addDays, daysBetween } from '../../../shared/pacific.ts';
import { DAY_MS, toIso } from '../../../shared/time.ts';
import * as sales from '../../sales/index.ts';
import { countRefundRequests } from '../ledger/refund-requests-queries.ts';
import { toOverview } from './answer.ts';
import { since } from './fold.ts';
import { DAYS_MAX, DEFAULT_DAYS, type OverviewInput, type PurchasesOverview } from './model.ts';
import * as queries from './queries.ts';
import { forEachFold, foldChains } from './read-folds.ts';
import { KnownSubscribers, lastPacificDay } from './reported.ts';
import { OverviewTally, type OverviewWindow, type Rate } from './tally.ts';
import { isReported, toTerms } from './terms.ts';

type OverviewContext = AppContext<'clock' | 'rates' | 'sql'>;

/** Each reads all subscriptions of an app. */
const limited = limitConcurrency(2);

const toDay = (ms: number): string => toIso(new Date(ms)).slice(0, 10);

function toWindow(input: OverviewInput, now: Date): OverviewWindow & { from: string; to: string } {
  const { from: first, to: last, days: length } = input;
  if (length !== undefined && first !== undefined && last !== undefined) {
    throw invalidInput('days', 'give either days or from and to, not both');
  }
  const today = toDay(now.getTime());
  const count = length ?? DEFAULT_DAYS;
  const to = last ?? (first && length ? addDays(first, count - 1) : today);
  const from = first ?? addDays(to, 1 - count);
  if (from > to) throw invalidInput('from', 'must not be after to');
  if (to > today) throw invalidInput('to', 'must not be after today');
  const days = daysBetween(from, to) + 1;
  if (days > DAYS_MAX) {
    throw invalidInput('from', `at most ${DAYS_MAX} days lie between from and to`);
  }
  const fromMs = Date.parse(`${from}T00:00:00Z`);
  const nowMs = now.getTime();
  return { from, to, days, fromMs, endMs: Math.min(fromMs + days * DAY_MS, nowMs), nowMs };
}

/** ECB rate of the purchase day, or the last of seven before: MRR does not move with rates. */
async function readRates(ctx: OverviewContext, target: string, firstMs: number): Promise<Rate> {
  const today = toDay(ctx.deps.clock().getTime());
  // Whole years: one cached table for many queries.
  const table = await ctx.deps.rates.load(`${toDay(firstMs).slice(0, 4)}-01-01`, today);
  // Nested maps: no string key for the many lookups.
  const known = new Map<string, Map<number, number | null>>();
  return (currency, atMs) => {
    const days = known.get(currency) ?? new Map<number, number | null>();
    const day = Math.floor(atMs / DAY_MS);
    const cached = days.get(day);
    if (cached !== undefined) return cached;
    const rate = table.unitRate(currency, target, toDay(atMs));
    days.set(day, rate);
    known.set(currency, days);
    return rate;
  };
}

type Folded = { tally: OverviewTally; known: KnownSubscribers };

async function addFolds(
  sql: Deps['sql'],
  scope: queries.OverviewScope,
  { tally, known }: Folded,
  { window, store }: { window: OverviewWindow; store: Store | undefined },
): Promise<void> {
  const { endMs } = window;
  const fromMs = Math.min(window.fromMs, known.atMs ?? window.fromMs);
  const asked = { fromMs, endMs, store, holders: known.atMs !== null };
  await forEachFold(sql, scope, asked, (fold, { store: sold, isHeld }) => {
    if (isReported(sold)) known.add(fold, isHeld);
    tally.addChain(since(fold, window.fromMs), sold);
  });
}

/** Production, auto-renewable, not family-shared, unless a figure says otherwise. */
export async function getPurchasesOverview(
  ctx: OverviewContext,
  input: OverviewInput,
): Promise<PurchasesOverview> {
  const { deps, orgId, app } = ctx;
  const now = deps.clock();
  const { from, to, ...window } = toWindow(input, now);
  const currency = await sales.currencyOfAnswer(ctx, input.currency);
  const environment = input.environment ?? REAL_PURCHASES;
  const scope = { orgId, appId: app.id, environment };
  const { tally, known, historyPending } = await limited(async () => {
    await foldChains(deps, scope);
    const firstMs = (await queries.selectFirstPurchase(deps.sql, scope)) ?? window.fromMs;
    const rate = await readRates(ctx, currency, firstMs);
    const reported = await sales.readSubscriptionTerms(deps, { orgId, appId: app.id, to });
    const lengths = await queries.selectLengthCounts(deps.sql, scope);
    const through = { orgId, appId: app.id, to: lastPacificDay(window.endMs) };
    const counted = {
      tally: new OverviewTally(window, rate, toTerms(reported, lengths, environment)),
      known: new KnownSubscribers(
        isReal(environment) && isReported(input.store)
          ? await sales.readReportedSubscribers(deps, through)
          : null,
      ),
    };
    await addFolds(deps.sql, scope, counted, { window, store: input.store });
    return {
      ...counted,
      historyPending: await queries.countUnreadHistories(deps.sql, scope, input.store),
    };
  });
  const requests = await countRefundRequests(deps.sql, scope, {
    ...{
      environment,
      store: input.store ?? null,
      from: new Date(window.fromMs),
      to: new Date(window.endMs),
    },
  });
  const overview = toOverview(tally, window, from);
  return {
    appId: app.id,
    from,
    to,
    days: window.days,
    asOf: toIso(new Date(window.endMs)),
    currency,
    environment,
    source: 'transactions',
    reported: known.answer(),
    ...overview,
    refunds: { ...overview.refunds, requests },
    historyPending,
    computedAt: toIso(now),
  };
}
