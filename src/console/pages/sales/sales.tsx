import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import type { Analytics } from '../../../../clients/api/src/index.ts';
import { calendarDay, dayRange, shortDay } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Button } from '../../parts/button.tsx';
import { ExportMenu } from '../../parts/chart/export-menu.tsx';
import { useCurrency } from '../../parts/chips/currency.tsx';
import { CopyLink } from '../../parts/copy-link.tsx';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { RangeControl } from '../../parts/range/range.tsx';
import { Empty, Loaded, Skeleton } from '../../parts/states.tsx';
import { useAddress, useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { addDays } from '../../state/days.ts';
import { useQuery } from '../../state/query.ts';
import { type RangeState, useRange } from '../../state/range.ts';
import { salesQuery } from '../../state/range-query.ts';
import { mayEdit } from '../../state/session.ts';
import { useStoreConnection } from '../../state/store-connection.ts';
import { texts } from '../../texts/index.ts';
import { sales as t } from '../../texts/sales.ts';
import { Breakdowns } from './breakdowns.tsx';
import { SalesChart } from './chart.tsx';
import { Coverage } from './coverage.tsx';
import { Currencies, Unconverted } from './currencies.tsx';
import { isCollecting } from './day-states.ts';
import { Figures } from './figures.tsx';
import { knownDays, measureOf } from './measures.ts';

const POLL_SECONDS = 15;
/** While a year is collected, people watch. */
const WATCH_SECONDS = 5;
const YEAR_DAYS = 365;

type Asked = {
  days?: number;
  from?: string;
  to?: string;
  currency?: string;
  storeAppId?: string;
  country?: string;
  sku?: string;
};

const useAnalytics = (query: Asked, everySeconds: number) =>
  useQuery(
    `analytics ${JSON.stringify(query)}`,
    (signal) => api.getSalesAnalytics({ query }, { signal }),
    { everySeconds },
  );

function SyncNow({ isConnected, onDone }: { isConnected: boolean; onDone: () => void }) {
  return (
    <ActionButton
      button={t.sync}
      notAllowed={isConnected ? !mayEdit.value && texts.errors.editorsOnly : t.noneWhy}
      act={async () => {
        const { skipped, checked, rowsWritten, daysRemaining } = await api.syncSales({
          body: { force: true },
        });
        onDone();
        return skipped ? t.skipped : t.synced(checked, rowsWritten, daysRemaining);
      }}
    />
  );
}

function Connection({ connection }: { connection: ReturnType<typeof useStoreConnection> }) {
  return (
    <Loaded query={connection} skeleton={null}>
      {(found) => {
        if (found === null) {
          return (
            <section class="card">
              <Empty
                icon={icons.store}
                title={t.notConnected}
                text={t.noneWhy}
                action={
                  <Button kind="primary" href="/store">
                    {t.connect}
                  </Button>
                }
              />
            </section>
          );
        }
        if (found.status === 'connected') return null;
        return (
          <p class="notice bad">
            <strong>{t.trouble}</strong> {found.lastError} <a href="/store">{texts.nav.store}</a>
          </p>
        );
      }}
    </Loaded>
  );
}

const NARROWED = ['storeApp', 'country', 'sku'] as const;

function namesOf(analytics: Analytics | undefined): ReadonlyMap<string, string> {
  const { byApp = [], byCountry = [], products = [] } = analytics ?? {};
  return new Map([
    ...[...byApp, ...byCountry].map(({ key, label }) => [key, label] as const),
    ...products.map(({ sku, title }) => [sku, title] as const),
  ]);
}

function Narrowed({ analytics }: { analytics: Analytics | undefined }) {
  const { query } = useLocation();
  const { change } = useAddress();
  const names = namesOf(analytics);
  return (
    <>
      {NARROWED.flatMap((name) => {
        const key = query[name];
        if (!key) return [];
        return (
          <Button
            key={name}
            kind="dashed"
            icon={icons.close}
            onClick={() => change({ [name]: undefined })}
          >
            {t.only(names.get(key) ?? key)}
          </Button>
        );
      })}
    </>
  );
}

function footOf(analytics: Analytics | undefined, { to }: RangeState): string[] {
  if (!analytics) return [];
  const { window, freshness, currency, rates } = analytics;
  const known = knownDays(analytics);
  return [
    t.foot.days(dayRange(window.from, window.to)),
    ...(to > window.to ? [t.foot.notOver(shortDay(addDays(window.to, 1)))] : []),
    ...(analytics.isComparable
      ? [t.foot.before(dayRange(window.previousFrom, window.previousTo))]
      : []),
    ...(freshness.coveredThrough ? [t.foot.through(shortDay(freshness.coveredThrough))] : []),
    ...(known < window.days ? [t.foot.known(known, window.days)] : []),
    t.foot.money(currency),
    ...(rates ? [t.foot.rates(calendarDay(rates.through))] : []),
  ];
}

function Pictures({ analytics, range }: { analytics: Analytics; range: RangeState }) {
  const [text, choose] = useSetting('measure', 'proceedsMinor');
  const measure = measureOf(text);
  const drawn = { analytics, measure };
  return (
    <>
      <Figures {...drawn} onMeasure={choose} />
      <Unconverted analytics={analytics} />
      <SalesChart {...drawn} onMeasure={choose} range={range} />
      <Breakdowns {...drawn} />
    </>
  );
}

const PicturesSkeleton = () => (
  <>
    <div class="card sales-figures">
      <Skeleton shape="kpis" count={6} />
    </div>
    <div class="card sales-plot">
      <Skeleton shape="plot" />
    </div>
    <div class="card sales-parts">
      <Skeleton shape="rows" />
    </div>
  </>
);

function useSales() {
  const range = useRange();
  const { query } = useLocation();
  const currency = useCurrency();
  const { storeApp: storeAppId, country, sku } = query;
  const narrowed = {
    ...(storeAppId && { storeAppId }),
    ...(country && { country }),
    ...(sku && { sku }),
  };
  const asked = { ...salesQuery(range), ...currency.asked, ...narrowed };
  const analytics = useAnalytics(asked, POLL_SECONDS);
  const isWatched = useSignal(false);
  const year = useAnalytics({ days: YEAR_DAYS }, isWatched.value ? WATCH_SECONDS : POLL_SECONDS);
  isWatched.value = Boolean(year.value.data && isCollecting(year.value.data));
  return { range, currency, analytics, year, isNarrowed: Object.keys(narrowed).length > 0 };
}

export function Sales() {
  const { range, currency, analytics, year, isNarrowed } = useSales();
  const connection = useStoreConnection();
  const { data } = analytics.value;
  const hasSales = data !== undefined && data.freshness.coveredFrom !== null;
  return (
    <Page
      title={t.title}
      question={t.question}
      help="store-analytics"
      actions={
        <>
          <span class="wide-only row">
            <CopyLink />
            <ExportMenu />
          </span>
          <SyncNow
            isConnected={connection.value.data !== null}
            onDone={() => [analytics.refetch(), year.refetch(), connection.refetch()]}
          />
        </>
      }
      toolbar={{
        left: (
          <>
            {isNarrowed && <Narrowed analytics={data} />}
            {currency.choice}
          </>
        ),
        right: <RangeControl />,
      }}
      foot={footOf(data, range)}
    >
      <Connection connection={connection} />
      <Loaded query={analytics} skeleton={<PicturesSkeleton />}>
        {(found) =>
          found.freshness.coveredFrom !== null && <Pictures analytics={found} range={range} />
        }
      </Loaded>
      {connection.value.data !== null && <Coverage year={year} />}
      {hasSales && data && <Currencies analytics={data} />}
    </Page>
  );
}
