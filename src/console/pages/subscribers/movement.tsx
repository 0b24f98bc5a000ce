import type { PurchasesOverview as Overview } from '../../../../clients/api/src/index.ts';
import { shortDay, signedNumber, wholeMoney, wholeUnits } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { moneyFormat } from '../../parts/chart/formats.ts';
import { Waterfall, type WaterfallStep } from '../../parts/chart/index.ts';
import { subscribers as t } from '../../texts/subscribers.ts';

function others({ mrr }: Overview) {
  return [
    { name: t.steps.returned, amount: mrr.returned },
    { name: t.steps.expansion, amount: mrr.expansion },
    { name: t.steps.contraction, amount: -mrr.contraction },
    { name: t.steps.exchange, amount: mrr.exchange },
  ];
}

const lastDay = ({ to, asOf, computedAt }: Overview): string | undefined =>
  asOf === computedAt ? undefined : shortDay(to);

function stepsOf(overview: Overview): WaterfallStep[] {
  const { subscriptions, mrr, currency, from } = overview;
  const units = (minor: number) => wholeUnits(minor, currency);
  const other = others(overview).reduce((sum, { amount }) => sum + amount, 0);
  return [
    {
      key: 'start',
      name: shortDay(from),
      amount: units(mrr.start),
      note: String(subscriptions.start),
      isTotal: true,
      slot: 'other',
    },
    {
      key: 'new',
      name: t.steps.new,
      amount: units(mrr.new),
      note: signedNumber(subscriptions.new),
      slot: 3,
    },
    {
      key: 'other',
      name: t.steps.other,
      amount: units(other),
      note: subscriptions.returned === 0 ? '0' : signedNumber(subscriptions.returned),
      slot: other < 0 ? 2 : 3,
    },
    {
      key: 'left',
      name: t.steps.churned,
      amount: -units(mrr.churned),
      note: signedNumber(-subscriptions.churned),
      slot: 2,
    },
    {
      key: 'end',
      name: lastDay(overview) ?? t.steps.now,
      amount: units(mrr.end),
      note: String(subscriptions.end),
      isTotal: true,
      slot: 1,
    },
  ];
}

export function Movement({ overview }: { overview: Overview }) {
  const { currency, from } = overview;
  const parts = others(overview)
    .filter(({ amount }) => amount !== 0)
    .map(({ name, amount }) => `${name} ${wholeMoney(wholeUnits(amount, currency), currency)}`);
  const title = t.fromTo(shortDay(from), lastDay(overview));
  return (
    <Card title={title} class="movement">
      <Waterfall
        title={title}
        csvName="mrr-movement"
        steps={stepsOf(overview)}
        format={moneyFormat(currency)}
      />
      <p class="card-note">
        {parts.length > 0 ? t.otherIs(parts.join(', ')) : t.otherIsNone} {t.identity}
      </p>
    </Card>
  );
}
