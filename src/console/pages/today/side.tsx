import type { ComponentChildren } from 'preact';
import { signedMoney } from '../../format.ts';
import { MarkIcon } from '../../parts/chart/index.ts';
import { Card } from '../../parts/card.tsx';
import * as icons from '../../parts/icons.ts';
import { type Look, Looks, LooksSkeleton } from '../../parts/looks.tsx';
import { experimentLook, salesLooks, sortedLooks } from '../../parts/looks-of.ts';
import { recommendationLook } from '../../parts/recommendation.ts';
import { ErrorNotice, Skeleton } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import type { Revenue, Sales } from '../../state/app-figures.ts';
import { hasRevenue } from '../../state/app-figures.ts';
import { addDays } from '../../state/days.ts';
import type { Result } from '../../state/experiments.ts';
import type { Insights } from '../../state/insights.ts';
import { useMarks } from '../../state/marks.ts';
import { useQuery } from '../../state/query.ts';
import { useCarried } from '../../state/range.ts';
import { looks as looksTexts } from '../../texts/looks.ts';
import { today as todayTexts } from '../../texts/today.ts';
import { type Since, sinceYesterday } from './since.ts';

const t = todayTexts.since;

/** As many as there often are. */
const ROWS = 3;

/** What the rules say, what sales lack, and how the experiments stand. */
export function useLooks(props: {
  appId: string;
  insights: Insights | undefined;
  sales: Sales | undefined;
  hasStore: boolean;
  results: readonly Result[];
}): Look[] {
  const { appId, insights, sales, hasStore, results } = props;
  const carried = useCarried();
  const ofSales = hasStore ? salesLooks(sales) : [];
  const saysLate = ofSales.some(({ key }) => key === 'late days');
  const ofRules = (isInfo: boolean) =>
    (insights?.recommendations ?? [])
      .filter(({ code }) => !(saysLate && code === 'store_days_missing'))
      .filter(({ severity }) => (severity === 'info') === isInfo)
      .map((recommendation) => recommendationLook(appId, recommendation, carried));
  return sortedLooks([
    ...ofRules(false),
    ...ofSales,
    ...results.map((result) => experimentLook(appId, result, looksTexts.links.result)),
    ...ofRules(true),
  ]);
}

type Line = {
  key: string;
  icon: ComponentChildren;
  text: string;
  amount?: string | undefined;
  note?: string | undefined;
};

/** The lines of what came and went; none where nothing did. */
function moneyLines(since: Since, currency: string): Line[] {
  const { started, returned, ended, refunds, recovered, billing } = since;
  const amount = (minor: number) => (minor === 0 ? undefined : signedMoney(minor, currency));
  const lines: (Line & { count: number })[] = [
    {
      key: 'started',
      count: started.subscribers + started.trials,
      icon: <icons.added class="small good" />,
      text: t.started(started.subscribers, started.trials),
      amount: amount(started.mrrMinor),
    },
    {
      key: 'returned',
      count: returned.count,
      icon: <icons.added class="small good" />,
      text: t.returned(returned.count),
      amount: amount(returned.mrrMinor),
    },
    {
      key: 'ended',
      count: ended.count,
      icon: <icons.left class="small" />,
      text: t.ended(ended.count),
      amount: amount(-ended.mrrMinor),
    },
    {
      key: 'refunds',
      count: refunds.count,
      icon: <icons.refunded class="small bad" />,
      text: t.refunds(refunds.count),
      amount: amount(-refunds.amountMinor),
    },
    {
      key: 'billing',
      count: billing.more,
      icon: <icons.problem class="small warn" />,
      text: t.billing(billing.more),
      note: billing.grace > 0 ? t.inGrace(billing.grace) : t.inRetry(billing.retry),
    },
    {
      key: 'recovered',
      count: recovered,
      icon: <icons.check class="small good" />,
      text: t.recovered(recovered),
    },
  ];
  return lines.filter(({ count }) => count > 0);
}

function SinceYesterday({
  appId,
  today,
  enabled,
}: {
  appId: string;
  today: string;
  enabled: boolean;
}) {
  const revenue = useQuery<Revenue>(
    `since yesterday ${appId}`,
    (signal) => api.getPurchasesOverview({ id: appId, query: { days: 3 } }, { signal }),
    { enabled },
  );
  const { drawn } = useMarks(appId, { from: addDays(today, -1), to: today }, enabled);
  const { data, error } = revenue.value;
  if (error && !data) return <ErrorNotice error={error} refetch={revenue.refetch} />;
  if (!data) return <Skeleton count={2} />;
  const lines: Line[] = [
    ...drawn.map(({ key, kind, label, text = label }) => ({
      key: `mark ${key}`,
      icon: <MarkIcon kind={kind} />,
      text,
    })),
    ...(hasRevenue(data) ? moneyLines(sinceYesterday(data), data.currency) : []),
  ];
  if (lines.length === 0) return <p class="quiet">{t.nothing}</p>;
  return (
    <ul class="since">
      {lines.map(({ key, icon, text, amount, note }) => (
        <li key={key}>
          {icon}
          <span class="grow">{text}</span>
          {amount && <b>{amount}</b>}
          {note && <span class="quiet">{note}</span>}
        </li>
      ))}
    </ul>
  );
}

/** What to look at, and what came since yesterday. */
export function Side(props: {
  appId: string;
  today: string;
  looks: readonly Look[];
  /** Some of it is still on its way: nothing that stands there moves when it comes. */
  isPending: boolean;
  hasFailed: boolean;
  enabled: boolean;
}) {
  const { appId, today, looks, isPending, hasFailed, enabled } = props;
  return (
    <Card
      title={looksTexts.title}
      count={isPending || looks.length === 0 ? undefined : looks.length}
      flush
    >
      {isPending ? <LooksSkeleton count={ROWS} /> : <Looks looks={looks} />}
      {!isPending && looks.length === 0 && (
        <p class="quiet looks-none">
          {hasFailed ? todayTexts.sentence.failed : looksTexts.nothing}
        </p>
      )}
      <section class="since-part">
        <h3>{t.title}</h3>
        <SinceYesterday appId={appId} today={today} enabled={enabled} />
      </section>
    </Card>
  );
}
