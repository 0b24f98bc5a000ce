type Count = { new: number; returned: number; churned: number; recovered: number };
type Amounts = { new: number; returned: number; churned: number };
type Day = {
  day: string;
  grace: number;
  billingRetry: number;
  subscriptions: Count;
  mrr: Amounts;
  refunds: { count: number; amountMinor: number };
};
type Overview = {
  byDay: readonly Day[];
  trialConversion: { cohorts: readonly { day: string; started: number }[] };
};

export type Since = {
  started: { subscribers: number; trials: number; mrrMinor: number };
  returned: { count: number; mrrMinor: number };
  ended: { count: number; mrrMinor: number };
  refunds: { count: number; amountMinor: number };
  recovered: number;
  /** How many more the store cannot charge, of those in grace and in retry now. */
  billing: { more: number; grace: number; retry: number };
};

/** What came on the last two days of an overview that has the day before them too. */
export function sinceYesterday({ byDay, trialConversion }: Overview): Since {
  const [before, ...days] = byDay.slice(-3);
  const sum = (of: (day: Day) => number) => days.reduce((total, day) => total + of(day), 0);
  const last = days.at(-1);
  const unpaid = (day: Day | undefined) => (day ? day.grace + day.billingRetry : 0);
  const first = days[0]?.day ?? '';
  return {
    started: {
      subscribers: sum(({ subscriptions }) => subscriptions.new),
      trials: trialConversion.cohorts
        .filter(({ day }) => first !== '' && day >= first)
        .reduce((total, { started }) => total + started, 0),
      mrrMinor: sum(({ mrr }) => mrr.new),
    },
    returned: {
      count: sum(({ subscriptions }) => subscriptions.returned),
      mrrMinor: sum(({ mrr }) => mrr.returned),
    },
    ended: {
      count: sum(({ subscriptions }) => subscriptions.churned),
      mrrMinor: sum(({ mrr }) => mrr.churned),
    },
    refunds: {
      count: sum(({ refunds }) => refunds.count),
      amountMinor: sum(({ refunds }) => refunds.amountMinor),
    },
    recovered: sum(({ subscriptions }) => subscriptions.recovered),
    billing: {
      more: unpaid(last) - unpaid(before),
      grace: last?.grace ?? 0,
      retry: last?.billingRetry ?? 0,
    },
  };
}
