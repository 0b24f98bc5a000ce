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
import { Grown } from '../../parts/change.tsx';
import { Kpi, Kpis } from '../../parts/kpis.tsx';
import { wilson } from '../../../shared/statistics/rates.ts';
import { subscribers as t } from '../../texts/subscribers.ts';
import { allRefunds } from './refunds.ts';
import type { Subject } from './subject.ts';

const intervalOf = (part: number, whole: number): string => {
  const interval = wilson(part, whole);
  return interval ? rateInterval(interval.low, interval.high) : UNKNOWN;
};

/** Most subscriptions have it; rates of several are never blended. */
const mainChurn = ({ churn }: Overview) =>
  churn.toSorted((one, other) => other.activeAtStart - one.activeAtStart)[0];

function Share(props: {
  label: string;
  meaning: string;
  share: number | null;
  part: number;
  whole: number;
  small: string;
  words: string;
}) {
  const { label, meaning, share, part, whole, small, words } = props;
  if (share === null) {
    return <Kpi {...{ label, meaning, small }} figure={exactNumber(part)} change={t.left.tooFew} />;
  }
  const change = `${intervalOf(part, whole)}, ${words}`;
  return <Kpi {...{ label, meaning, change }} figure={rate(share)} />;
}

function Left({ overview }: { overview: Overview }) {
  const main = mainChurn(overview);
  if (!main) return <Kpi label={t.left.label} meaning={t.meanings.churn} figure="0" />;
  const { activeAtStart, churned, duration } = main;
  return (
    <Share
      {...{ label: t.left.of(duration), meaning: t.meanings.churn, share: main.rate }}
      {...{ part: churned, whole: activeAtStart, small: t.left.ofStart(activeAtStart) }}
      words={t.left.count(churned, activeAtStart)}
    />
  );
}

function Conversion({ overview }: { overview: Overview }) {
  const { started, converted, rate: share } = overview.trialConversion;
  return (
    <Share
      {...{ label: t.conversion, meaning: t.meanings.conversion, share }}
      {...{ part: converted, whole: started, small: t.ofTrials(started) }}
      words={t.ofStarted(converted, started)}
    />
  );
}

function Refunds({ overview }: { overview: Overview }) {
  const { paid, refunded, refundRate } = overview.refunds.byPurchaseDay;
  const { count, amountMinor } = allRefunds(overview);
  const amount = money(amountMinor, overview.currency);
  return (
    <Kpi
      label={t.refunds}
      meaning={t.meanings.refunds}
      figure={refundRate === null ? exactNumber(count) : rate(refundRate)}
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
        change={<Grown by={grown} text={signedMoney(grown, currency)} since={since} />}
      />
      <Kpi
        {...cell('active')}
        label={t.active}
        meaning={t.meanings.active}
        figure={<span title={exactNumber(overview.active)}>{shortNumber(overview.active)}</span>}
        change={
          <Grown
            by={joined}
            text={signedNumber(joined)}
            since={overview.grace > 0 ? t.grace(exactNumber(overview.grace)) : since}
          />
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
