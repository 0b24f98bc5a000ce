import { calendarDay, exactNumber } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { TimeChart } from '../../parts/chart/index.ts';
import * as icons from '../../parts/icons.ts';
import { Info } from '../../parts/info.tsx';
import { Empty, Loaded, Skeleton } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { salesQuery } from '../../state/range-query.ts';
import type { RangeState } from '../../state/range.ts';
import { useApi } from '../../state/use-api.ts';
import { subscribers as t } from '../../texts/subscribers.ts';

const PLOT_PX = 244;

const POINTS = [
  ['paid', t.paid],
  ['trials', t.inTrial],
  ['gracePeriod', t.gracePeriod],
  ['billingRetry', t.billingRetry],
] as const;

type Reported = Awaited<ReturnType<typeof api.getStoreSubscriptions>>;

function Counts({ reported, range }: { reported: Reported; range: RangeState }) {
  const { latest, series } = reported;
  if (!latest || reported.byProduct.length === 0) {
    return <Empty icon={icons.subscribers} title={t.noReport} />;
  }
  return (
    <TimeChart
      title={t.store}
      csvName="store-subscriptions"
      height={PLOT_PX}
      days={series.map(({ day }) => day)}
      series={POINTS.map(([key, name]) => ({
        key,
        name,
        values: series.map((point) => (point.covered ? point[key] : null)),
      }))}
      format={{ show: exactNumber, isWhole: true }}
      zone={t.pacific}
      onRange={(from, to) => range.setRange({ kind: 'dates', from, to })}
    />
  );
}

/** No persons, a day late. */
export function StoreCounts({ storeAppId, range }: { storeAppId: string; range: RangeState }) {
  const query = { storeAppId, ...salesQuery(range) };
  const reported = useApi(api.getStoreSubscriptions, { query });
  const through = reported.value.data?.through;
  return (
    <Card
      title={t.store}
      sub={
        <>
          {through && t.reportedThrough(calendarDay(through))}
          <Info label={t.store}>{t.storeWhy}</Info>
        </>
      }
    >
      <Loaded query={reported} skeleton={<Skeleton shape="plot" />}>
        {(data) => <Counts reported={data} range={range} />}
      </Loaded>
    </Card>
  );
}
