import type { PurchasesOverview as Overview } from '../../../../clients/api/src/index.ts';
import { changeOf, exactNumber, money, rate, shortNumber, UNKNOWN } from '../../format.ts';
import { FigureCard } from '../../parts/figure-card.tsx';
import { subscribers as t } from '../../texts/subscribers.ts';

const said = (...parts: (string | null | false)[]) => parts.filter(Boolean).join(' · ');

/** The duration that most subscriptions have: rates of several are never blended. */
function mainChurn({ churn }: Overview) {
  return churn.toSorted((a, b) => b.activeAtStart - a.activeAtStart)[0];
}

function ChurnCard({ overview }: { overview: Overview }) {
  const main = mainChurn(overview);
  const few = main && main.rate === null && t.fewActive(main.activeAtStart);
  return (
    <FigureCard
      title={main ? `${t.churn}, ${main.duration}` : t.churn}
      figure={rate(main?.rate ?? null)}
      note={main && said(few || null, `${exactNumber(main.churned)} ${t.left.toLowerCase()}`)}
      meaning={t.meanings.churn}
    />
  );
}

/** The six figures of subscribers, each with what it means. */
export function Cards({ overview }: { overview: Overview }) {
  const { currency, mrr, mrrProceedsMinor, trialConversion, refunds } = overview;
  const { started, converted } = trialConversion;
  const pending = trialConversion.cohorts.reduce((sum, cohort) => sum + cohort.pending, 0);
  const { paid, refundRate } = refunds.byPurchaseDay;
  const change = changeOf(mrr.end, mrr.start);
  return (
    <div class="cards wide">
      <FigureCard
        title={t.mrr}
        figure={money(overview.mrrMinor, currency)}
        note={said(
          change && `${change} ${t.inWindow(overview.days)}`,
          mrrProceedsMinor !== null && t.proceeds(money(mrrProceedsMinor, currency)),
        )}
        meaning={t.meanings.mrr}
      />
      <FigureCard
        title={t.active}
        figure={<span title={exactNumber(overview.active)}>{shortNumber(overview.active)}</span>}
        note={said(
          overview.grace > 0 && t.grace(exactNumber(overview.grace)),
          overview.billingRetry > 0 && t.retry(exactNumber(overview.billingRetry)),
          overview.willNotRenew > 0 && t.leaving(exactNumber(overview.willNotRenew)),
        )}
        meaning={t.meanings.active}
      />
      <FigureCard
        title={t.trials}
        figure={shortNumber(overview.trials)}
        note={pending > 0 && t.pending(exactNumber(pending))}
        meaning={t.meanings.trials}
      />
      <ChurnCard overview={overview} />
      <FigureCard
        title={t.conversion}
        figure={rate(trialConversion.rate)}
        note={
          trialConversion.rate === null ? t.fewTrials(started) : t.ofStarted(converted, started)
        }
        meaning={t.meanings.conversion}
      />
      <FigureCard
        title={t.refunds}
        figure={money(refunds.byRefundDay.amountMinor, currency) || UNKNOWN}
        note={said(
          t.refundCount(refunds.byRefundDay.count),
          refundRate === null ? t.fewPaid(paid) : t.refundRate(rate(refundRate)),
        )}
        meaning={t.meanings.refunds}
      />
    </div>
  );
}
