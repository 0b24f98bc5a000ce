import { calendarDay, exactNumber } from '../../format.ts';
import { TimeChart } from '../../parts/chart/index.ts';
import { FigureCard } from '../../parts/figure-card.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import { useQuery } from '../../state/query.ts';
import { texts } from '../../texts/index.ts';
import { subscribers as t } from '../../texts/subscribers.ts';

const POINTS = [
  ['paid', t.paid],
  ['trials', t.inTrial],
  ['gracePeriod', t.gracePeriod],
  ['billingRetry', t.billingRetry],
] as const;

type Reported = Awaited<ReturnType<typeof api.getStoreSubscriptions>>;

function Counts({ reported }: { reported: Reported }) {
  const { latest, series, through } = reported;
  if (!latest || reported.byProduct.length === 0) return <p>{t.noReport}</p>;
  return (
    <>
      <div class="cards">
        {POINTS.map(([key, text]) => (
          <FigureCard key={key} title={text} figure={exactNumber(latest[key])} />
        ))}
      </div>
      <TimeChart
        title={t.store}
        csvName="store-subscriptions"
        height={244}
        days={series.map(({ day }) => day)}
        series={POINTS.map(([key, name]) => ({
          key,
          name,
          values: series.map((point) => (point.covered ? point[key] : null)),
        }))}
        format={{ show: exactNumber, isWhole: true }}
      />
      {through && <p class="quiet">{t.reported(calendarDay(through))}</p>}
    </>
  );
}

function OfStoreApp({ storeAppId, days }: { storeAppId: string; days: number }) {
  const reported = useQuery(`store subscriptions ${storeAppId} ${days}`, (signal) =>
    api.getStoreSubscriptions({ query: { storeAppId, days } }, { signal }),
  );
  return <Loaded query={reported}>{(data) => <Counts reported={data} />}</Loaded>;
}

/** What the store reports, apart from what is known by transaction. */
export function StoreCounts({ appId, days }: { appId: string; days: number }) {
  const app = useApps().value.data?.find(({ id }) => id === appId);
  if (!app) return null;
  return (
    <section>
      <h2>{t.store}</h2>
      <p class="quiet">{t.storeWhy}</p>
      {app.storeAppId === null ? (
        <p>
          {t.notLinked} <a href="/sales">{texts.nav.sales}</a>
        </p>
      ) : (
        <OfStoreApp storeAppId={app.storeAppId} days={days} />
      )}
    </section>
  );
}
