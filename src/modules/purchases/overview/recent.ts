import type { AppContext } from '../../../context.ts';
import { must } from '../../../shared/assert.ts';
import { REAL_PURCHASES } from '../../../shared/environment.ts';
import { invalidInput } from '../../../shared/errors.ts';
import { minorOfMilliunits } from '../../../shared/money.ts';
import { msToIso } from '../../../shared/ms-to-iso.ts';
import { DAY_MS, toIsoOrNull } from '../../../shared/time.ts';
import { describePurchase, describeRefund, describeRenewal } from '../customers/history.ts';
import { toCustomerTransaction } from '../customers/queries.ts';
import { chainField } from '../model/wire.ts';
import * as model from './recent.model.ts';
import { type RecentRow, type RecentSum, selectRecent, sumRecent } from './recent-queries.ts';

const toAmount = (milliunits: number | null, currency: string | null): number | null =>
  milliunits === null || currency === null ? null : minorOfMilliunits(milliunits, currency);

/** The sentence of a customer's history. */
function writeSentence(row: RecentRow): string {
  const transaction = toCustomerTransaction(row.transaction);
  switch (row.kind) {
    case 'bought':
    case 'trial_started':
      return describePurchase(transaction, undefined).sentence;
    case 'refunded':
      return must(describeRefund(transaction), 'money was given back').sentence;
    case 'payment_failed': {
      const graceExpiresAt = row.graceExpiresMs === null ? null : msToIso(row.graceExpiresMs);
      const { renewsTo } = row;
      const said = { at: msToIso(row.atMs), willRenew: row.willRenew ?? true, renewsTo };
      const failed = describeRenewal({ ...said, inBillingRetry: true, graceExpiresAt }, undefined);
      return must(failed, 'a first failure is said').sentence;
    }
  }
}

function toRecentChange(row: RecentRow): model.RecentChange {
  const { kind, amountMilliunits, amountCurrency, graceExpiresMs } = row;
  return {
    at: msToIso(row.atMs),
    kind,
    sentence: writeSentence(row),
    productId: row.renewsTo ?? row.transaction.snapshot.productId,
    customerId: row.customerId,
    ...chainField(row.chainId),
    amountMinor: toAmount(amountMilliunits, amountCurrency),
    currency: amountMilliunits === null ? null : amountCurrency,
    graceExpiresAt: toIsoOrNull(graceExpiresMs === null ? null : new Date(graceExpiresMs)),
  };
}

function toTotals(sums: readonly RecentSum[]): model.RecentTotal[] {
  const byKind = Map.groupBy(sums, ({ kind }) => kind);
  return [...byKind].map(([kind, parts]) => {
    const count = parts.reduce((sum, part) => sum + part.count, 0);
    const amounts = parts.flatMap(({ currency, amountMilliunits }) => {
      const amountMinor = toAmount(amountMilliunits, currency);
      return currency === null || amountMinor === null ? [] : [{ currency, amountMinor }];
    });
    const priced = parts.reduce((sum, part) => sum + (part.currency === null ? 0 : part.priced), 0);
    return { kind, count, amounts, withoutPrice: count - priced };
  });
}

export async function listRecentPurchases(
  { deps, orgId, app }: AppContext<'clock' | 'sql'>,
  { since, limit = model.RECENT_LIMIT, environment = REAL_PURCHASES }: model.RecentPurchasesInput,
): Promise<model.RecentPurchases> {
  const now = deps.clock();
  const toMs = now.getTime();
  const fromMs = since === undefined ? toMs - DAY_MS : Date.parse(since);
  if (fromMs > toMs) throw invalidInput('since', 'must not be in the future');
  if (fromMs < toMs - model.RECENT_DAYS_MAX * DAY_MS) {
    throw invalidInput('since', `must be at most ${model.RECENT_DAYS_MAX} days ago`);
  }
  const scope = { orgId, appId: app.id, environment };
  const [rows, sums] = await Promise.all([
    selectRecent(deps.sql, scope, { fromMs, toMs, limit }),
    sumRecent(deps.sql, scope, { fromMs, toMs }),
  ]);
  const totals = toTotals(sums);
  const all = totals.reduce((sum, { count }) => sum + count, 0);
  return {
    since: msToIso(fromMs),
    until: msToIso(toMs),
    totals,
    changes: rows.map(toRecentChange),
    more: Math.max(0, all - rows.length),
  };
}
