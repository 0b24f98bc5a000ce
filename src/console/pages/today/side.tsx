import { Card } from '../../parts/card.tsx';
import { type Look, Looks, LooksSkeleton } from '../../parts/looks.tsx';
import { experimentLook, salesLooks, sortedLooks } from '../../parts/looks-of.ts';
import { recommendationLook } from '../../parts/recommendation.ts';
import { Skeleton } from '../../parts/states.tsx';
import { useModule } from '../../parts/use-module.ts';
import type { Sales } from '../../state/app-figures.ts';
import type { Result } from '../../state/experiments.ts';
import type { Insights } from '../../state/insights.ts';
import { useCarried } from '../../state/range.ts';
import { controls } from '../../texts/controls.ts';
import { looks as looksTexts } from '../../texts/looks.ts';
import { today as todayTexts } from '../../texts/today.ts';

const ROWS = 3;
const loadSince = () => import('./by-use.ts');

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

export function Side(props: {
  appId: string;
  today: string;
  looks: readonly Look[];
  /** What stands there moves no more. */
  isPending: boolean;
  hasFailed: boolean;
  hasUnchecked: boolean;
  enabled: boolean;
}) {
  const { appId, today, looks, isPending, hasFailed, enabled } = props;
  const { module: since, isMissing } = useModule(loadSince);
  return (
    <Card
      title={looksTexts.title}
      count={isPending || looks.length === 0 ? undefined : looks.length}
      flush
    >
      {isPending ? <LooksSkeleton count={ROWS} /> : <Looks looks={looks} />}
      {!isPending && looks.length === 0 && (
        <p class="quiet looks-none">
          {hasFailed
            ? todayTexts.sentence.failed
            : props.hasUnchecked
              ? looksTexts.unchecked
              : looksTexts.nothing}
        </p>
      )}
      <section class="since-part">
        <h3>{todayTexts.since.title}</h3>
        {since && <since.SinceYesterday appId={appId} today={today} enabled={enabled} />}
        {!since && (isMissing ? <p class="quiet">{controls.notLoaded}</p> : <Skeleton count={2} />)}
      </section>
    </Card>
  );
}
