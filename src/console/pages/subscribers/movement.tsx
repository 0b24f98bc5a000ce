import type { PurchasesOverview as Overview } from '../../../../clients/api/src/index.ts';
import { calendarDay, exactNumber, money, rate, wholeUnits } from '../../format.ts';
import { Table } from '../../parts/table.tsx';
import { subscribers as t } from '../../texts/subscribers.ts';

type Step = { name: string; sign: 1 | -1; count: number | null; amount: number };

function stepsOf({ subscriptions, mrr }: Overview): Step[] {
  return [
    { name: t.steps.start, sign: 1, count: subscriptions.start, amount: mrr.start },
    { name: t.steps.new, sign: 1, count: subscriptions.new, amount: mrr.new },
    { name: t.steps.returned, sign: 1, count: subscriptions.returned, amount: mrr.returned },
    { name: t.steps.expansion, sign: 1, count: null, amount: mrr.expansion },
    { name: t.steps.contraction, sign: -1, count: null, amount: mrr.contraction },
    { name: t.steps.churned, sign: -1, count: subscriptions.churned, amount: mrr.churned },
    {
      name: t.steps.exchange,
      sign: mrr.exchange < 0 ? -1 : 1,
      count: null,
      amount: Math.abs(mrr.exchange),
    },
    { name: t.steps.end, sign: 1, count: subscriptions.end, amount: mrr.end },
  ];
}

/** Where each step of the way from the start to the end lies, as shares of the largest. */
function spansOf(steps: readonly Step[]) {
  let at = 0;
  const spans = steps.map(({ sign, amount }, index) => {
    const isLevel = index === 0 || index === steps.length - 1;
    const from = isLevel ? 0 : at;
    const to = isLevel ? amount : at + sign * amount;
    at = to;
    return { from: Math.min(from, to), to: Math.max(from, to) };
  });
  const most = Math.max(1, ...spans.map(({ to }) => to));
  return spans.map(({ from, to }) => ({ from: from / most, to: to / most }));
}

/** From what there was at the start to what there is now, step by step. */
export function Movement({ overview }: { overview: Overview }) {
  const steps = stepsOf(overview);
  const spans = spansOf(steps);
  const rows = steps.map((step, index) => ({ ...step, span: spans[index] ?? { from: 0, to: 0 } }));
  const signed = (sign: 1 | -1, text: string, isZero: boolean) =>
    sign < 0 && !isZero ? `−${text}` : text;
  return (
    <section>
      <h2>{t.movement}</h2>
      <Table
        caption={t.movement}
        rows={rows}
        keyOf={({ name }) => name}
        csvName="movement"
        columns={[
          {
            label: t.step,
            show: ({ name }) => <span class="nowrap">{name}</span>,
            plain: ({ name }) => name,
          },
          {
            label: t.subscriptions,
            number: true,
            show: ({ count, sign }) =>
              count === null ? '' : signed(sign, exactNumber(count), count === 0),
            plain: ({ count }) => count,
          },
          {
            label: `${t.mrr} (${overview.currency})`,
            number: true,
            show: ({ amount, sign }) =>
              signed(sign, money(amount, overview.currency), amount === 0),
            plain: ({ amount }) => wholeUnits(amount, overview.currency),
          },
          {
            label: t.picture,
            show: ({ span, sign }) => (
              <span class="whiskered">
                <svg
                  class="bar"
                  viewBox="0 0 1000 20"
                  preserveAspectRatio="none"
                  aria-hidden="true"
                >
                  <rect
                    class={sign < 0 ? 'value loss' : 'value'}
                    x={Math.round(span.from * 1_000)}
                    width={Math.max(1, Math.round((span.to - span.from) * 1_000))}
                    height="20"
                  />
                </svg>
              </span>
            ),
          },
        ]}
      />
      <p class="quiet">{t.movementMeaning}</p>
    </section>
  );
}

export function Churn({ overview }: { overview: Overview }) {
  if (overview.churn.length === 0) return null;
  const counted = ['churned', 'voluntary', 'billing', 'refund', 'other', 'returned'] as const;
  const labels = {
    churned: t.left,
    voluntary: t.voluntary,
    billing: t.billing,
    refund: t.refunded,
    other: t.other,
    returned: t.steps.returned,
  };
  type Row = Overview['churn'][number];
  return (
    <section>
      <h2>{t.churnBy}</h2>
      <Table
        caption={t.churnBy}
        rows={overview.churn}
        keyOf={({ duration }) => duration}
        csvName="churn"
        columns={[
          {
            label: t.duration,
            show: ({ duration }) => duration,
          },
          {
            label: t.atStart,
            number: true,
            show: ({ activeAtStart }) => exactNumber(activeAtStart),
            plain: ({ activeAtStart }) => activeAtStart,
          },
          ...counted.map((key) => ({
            label: labels[key],
            number: true,
            show: (row: Row) => exactNumber(row[key]),
            plain: (row: Row) => row[key],
          })),
          {
            label: t.rate,
            number: true,
            show: ({ rate: all, activeAtStart }) =>
              all === null ? (
                <span class="quiet">{t.fewActive(activeAtStart)}</span>
              ) : (
                <strong>{rate(all)}</strong>
              ),
            plain: (row) => row.rate,
          },
          {
            label: t.netRate,
            number: true,
            show: ({ netRate }) => rate(netRate),
            plain: ({ netRate }) => netRate,
          },
        ]}
      />
    </section>
  );
}

/** Trials by the day they began: converted + pending + abandoned = started. */
export function Trials({ overview }: { overview: Overview }) {
  const { cohorts } = overview.trialConversion;
  type Row = (typeof cohorts)[number];
  const labels = {
    started: t.started,
    converted: t.converted,
    pending: t.stillPending,
    abandoned: t.abandoned,
  };
  return (
    <details class="spaced">
      <summary>{t.cohorts}</summary>
      <Table
        caption={t.cohorts}
        rows={cohorts.toReversed()}
        keyOf={({ day }) => day}
        csvName="trials"
        columns={[
          { label: t.day, show: ({ day }) => calendarDay(day), plain: ({ day }) => day },
          ...(['started', 'converted', 'pending', 'abandoned'] as const).map((key) => ({
            label: labels[key],
            number: true,
            show: (row: Row) => exactNumber(row[key]),
            plain: (row: Row) => row[key],
          })),
        ]}
      />
    </details>
  );
}
