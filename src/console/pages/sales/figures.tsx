import type { ComponentChildren } from 'preact';
import type { Analytics } from '../../../../clients/api/src/index.ts';
import {
  changeOf,
  exactNumber,
  money,
  roundMoney,
  shortNumber,
  wholeMoney,
  wholeUnits,
} from '../../format.ts';
import { FigureCard } from '../../parts/figure-card.tsx';
import { TimeChart } from '../../parts/chart/index.ts';
import { Choice } from '../../parts/form.tsx';
import { useSetting } from '../../state/address.ts';
import { sales as t } from '../../texts/sales.ts';
import { Breakdowns } from './breakdowns.tsx';
import { Currencies, Unconverted } from './currencies.tsx';

const MEASURES = [
  ['proceedsMinor', t.proceeds],
  ['customerSpendMinor', t.spend],
  ['downloads', t.downloads],
  ['subscriptionUnits', t.subscriptions],
  ['iapUnits', t.purchases],
  ['trials', t.trials],
  ['refunds', t.refunds],
] as const;
const CARDS = ['downloads', 'subscriptionUnits', 'trials', 'refunds'] as const;

function Totals({ analytics, days }: { analytics: Analytics; days: number }) {
  const { totals, previous, currency } = analytics;
  const against = (now: number, before: number) => {
    const change = changeOf(now, before);
    return change === null ? t.nothingBefore : `${change} ${t.against(days)}`;
  };
  return (
    <div class="cards">
      <FigureCard
        title={t.proceeds}
        figure={money(totals.proceedsMinor, currency)}
        note={against(totals.proceedsMinor, previous.proceedsMinor)}
        meaning={t.meaning}
      />
      {CARDS.map((name) => (
        <FigureCard
          key={name}
          title={t[name === 'subscriptionUnits' ? 'subscriptions' : name]}
          figure={shortNumber(totals[name])}
          note={against(totals[name], previous[name])}
        />
      ))}
    </div>
  );
}

/** The figures of the window: totals, one of them by day, and what they are made of. */
export function Figures(props: {
  analytics: Analytics;
  days: number;
  /** What the figures rest on. */
  children: ComponentChildren;
}) {
  const { analytics, days } = props;
  const [chosen, choose] = useSetting('measure', 'proceedsMinor');
  const [measure, name] = MEASURES.find(([one]) => one === chosen) ?? MEASURES[0];
  const { series, currency } = analytics;
  const isMoney = measure.endsWith('Minor');
  const shown = (value: number) => (isMoney ? wholeUnits(value, currency) : value);
  return (
    <>
      <Totals analytics={analytics} days={days} />
      <Unconverted analytics={analytics} />
      <Choice
        label={t.measure}
        name="measure"
        hideLabel
        options={MEASURES}
        value={measure}
        onChange={choose}
      />
      <TimeChart
        title={isMoney ? `${name} (${currency})` : name}
        csvName={`sales-${measure}`}
        kind="bar"
        days={series.map(({ day }) => day)}
        series={[
          {
            key: measure,
            name,
            values: series.map((one) => (one.covered ? shown(one[measure]) : null)),
            slot: isMoney ? 3 : 1,
          },
        ]}
        format={
          isMoney
            ? {
                show: (value) => wholeMoney(value, currency),
                tick: (value) => roundMoney(value, currency),
              }
            : { show: exactNumber, isWhole: true }
        }
      />
      {props.children}
      <Breakdowns analytics={analytics} />
      <Currencies analytics={analytics} />
    </>
  );
}
