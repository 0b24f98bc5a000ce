import type { PurchasesOverview as Overview } from '../../../../clients/api/src/index.ts';
import {
  exactNumber,
  money,
  rate,
  rateInterval,
  shortDay,
  shortNumber,
  signedMoney,
  signedNumber,
  UNKNOWN,
} from '../../format.ts';
import { Kpi, Kpis } from '../../parts/kpis.tsx';
import { wilson } from '../../../shared/statistics/rates.ts';
import { subscribers as t } from '../../texts/subscribers.ts';
import type { Subject } from './subject.ts';

const intervalOf = (part: number, whole: number): string => {
  const interval = wilson(part, whole);
  return interval ? rateInterval(interval.low, interval.high) : UNKNOWN;
};

const toneOf = (change: number): string => (change > 0 ? 'good' : change < 0 ? 'bad' : '');

/** Most subscriptions have it; rates of several are never blended. */
const mainChurn = ({ churn }: Overview) =>
  churn.toSorted((one, other) => other.activeAtStart - one.activeAtStart)[0];

function Left({ overview }: { overview: Overview }) {
  const main = mainChurn(overview);
  if (!main) return <Kpi label={t.left.label} meaning={t.meanings.churn} figure="0" />;
  const { activeAtStart, churned, duration } = main;
  return (
    <Kpi
      label={t.left.of(duration)}
      meaning={t.meanings.churn}
      figure={main.rate === null ? exactNumber(churned) : rate(main.rate)}
      small={main.rate === null && t.left.ofStart(activeAtStart)}
      change={
        main.rate === null
          ? t.left.tooFew
          : `${intervalOf(churned, activeAtStart)}, ${t.left.count(churned, activeAtStart)}`
      }
    />
  );
}

function Conversion({ overview }: { overview: Overview }) {
  const { started, converted, rate: share } = overview.trialConversion;
  return (
    <Kpi
      label={t.conversion}
      meaning={t.meanings.conversion}
      figure={share === null ? exactNumber(converted) : rate(share)}
      small={share === null && t.ofTrials(started)}
      change={
        share === null
          ? t.left.tooFew
          : `${intervalOf(converted, started)}, ${t.ofStarted(converted, started)}`
      }
    />
  );
}

function Refunds({ overview }: { overview: Overview }) {
  const { byPurchaseDay, byRefundDay } = overview.refunds;
  const { paid, refunded, refundRate } = byPurchaseDay;
  const amount = money(byRefundDay.amountMinor, overview.currency);
  return (
    <Kpi
      label={t.refunds}
      meaning={t.meanings.refunds}
      figure={refundRate === null ? exactNumber(byRefundDay.count) : rate(refundRate)}
      change={refundRate === null ? amount : `${intervalOf(refunded, paid)}, ${amount}`}
    />
  );
}

export function Figures(props: {
  overview: Overview;
  subject: Subject;
  onSubject: (subject: Subject) => void;
}) {
  const { overview, subject, onSubject } = props;
  const { currency, mrr, subscriptions, cohorts } = { ...overview, ...overview.trialConversion };
  const renewing = cohorts.reduce((sum, { pending }) => sum + pending, 0);
  const since = t.since(shortDay(overview.from));
  const cell = (of: Subject) => ({
    isSubject: subject === of,
    onClick: () => onSubject(of),
  });
  const grown = mrr.end - mrr.start;
  const joined = subscriptions.end - subscriptions.start;
  return (
    <Kpis label={t.figures}>
      <Kpi
        {...cell('mrr')}
        label={t.mrr}
        meaning={t.meanings.mrr}
        figure={money(overview.mrrMinor, currency)}
        change={
          <>
            <span class={`change ${toneOf(grown)}`}>{signedMoney(grown, currency)}</span>
            <span>{since}</span>
          </>
        }
      />
      <Kpi
        {...cell('active')}
        label={t.active}
        meaning={t.meanings.active}
        figure={<span title={exactNumber(overview.active)}>{shortNumber(overview.active)}</span>}
        change={
          <>
            <span class={`change ${toneOf(joined)}`}>{signedNumber(joined)}</span>
            <span>{overview.grace > 0 ? t.grace(exactNumber(overview.grace)) : since}</span>
          </>
        }
      />
      <Kpi
        {...cell('trials')}
        label={t.trials}
        meaning={t.meanings.trials}
        figure={shortNumber(overview.trials)}
        change={
          overview.trials > 0 &&
          t.renewing(exactNumber(renewing), exactNumber(Math.max(0, overview.trials - renewing)))
        }
      />
      <Conversion overview={overview} />
      <Left overview={overview} />
      <Refunds overview={overview} />
    </Kpis>
  );
}
