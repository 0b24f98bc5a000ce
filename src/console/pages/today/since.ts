import type { RecentPurchases } from '../../../../clients/api/src/index.ts';

type Day = {
  subscriptions: { new: number; returned: number; churned: number; recovered: number };
  mrr: { returned: number; churned: number };
};
type Overview = { byDay: readonly Day[] };
type Recent = Pick<RecentPurchases, 'totals' | 'changes' | 'until'>;
type Kind = Recent['totals'][number]['kind'];
type Amount = Recent['totals'][number]['amounts'][number];

export type Told = {
  key: string;
  productId: string;
  customerId: string;
  amounts: readonly Amount[];
  isInGrace: boolean;
};
type Several = { count: number; amounts: readonly Amount[]; inGrace: number };

export type Since = {
  started: { subscribers: number; trials: number; amounts: readonly Amount[] };
  /** Trials that were paid for. */
  converted: number;
  refunds: readonly Told[] | Several;
  failures: readonly Told[] | Several;
  returned: { count: number; mrrMinor: number };
  ended: { count: number; mrrMinor: number };
  recovered: number;
};

const FEW = 2;
/** Days of the overview, in UTC: yesterday and today. */
const DAYS = 2;

const isPaid = ({ amountMinor }: Amount): boolean => amountMinor !== 0;

function toldOf({ totals, changes, until }: Recent, kind: Kind): readonly Told[] | Several {
  const total = totals.find((one) => one.kind === kind);
  if (!total) return [];
  const told = changes
    .filter((change) => change.kind === kind)
    .map(
      ({ at, productId, customerId, amountMinor, currency, graceExpiresAt }): Told => ({
        key: `${at} ${customerId}`,
        productId,
        customerId,
        amounts: amountMinor === null || currency === null ? [] : [{ amountMinor, currency }],
        isInGrace: graceExpiresAt !== null && graceExpiresAt > until,
      }),
    );
  if (told.length === total.count && told.length <= FEW) return told;
  const inGrace = told.filter(({ isInGrace }) => isInGrace).length;
  return { count: total.count, amounts: total.amounts.filter(isPaid), inGrace };
}

/** What ended or came back is by whole days. */
export function sinceYesterday(recent: Recent, { byDay }: Overview): Since {
  const days = byDay.slice(-DAYS);
  const sum = (of: (day: Day) => number) => days.reduce((total, day) => total + of(day), 0);
  const begun = (kind: Kind) => recent.totals.find((one) => one.kind === kind);
  const bought = begun('bought')?.count ?? 0;
  return {
    started: {
      subscribers: bought,
      trials: begun('trial_started')?.count ?? 0,
      amounts: (begun('bought')?.amounts ?? []).filter(isPaid),
    },
    converted: Math.max(0, sum(({ subscriptions }) => subscriptions.new) - bought),
    refunds: toldOf(recent, 'refunded'),
    failures: toldOf(recent, 'payment_failed'),
    returned: {
      count: sum(({ subscriptions }) => subscriptions.returned),
      mrrMinor: sum(({ mrr }) => mrr.returned),
    },
    ended: {
      count: sum(({ subscriptions }) => subscriptions.churned),
      mrrMinor: sum(({ mrr }) => mrr.churned),
    },
    recovered: sum(({ subscriptions }) => subscriptions.recovered),
  };
}
