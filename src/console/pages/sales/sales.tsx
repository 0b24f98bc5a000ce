import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import type { Analytics } from '../../../../clients/api/src/index.ts';
import { STORE_FACTS, STORES } from '../../../shared/stores.ts';
import { calendarDay, dayRange, shortDay } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { ExportMenu } from '../../parts/chart/export-menu.tsx';
import { useCurrency } from '../../parts/chips/currency.tsx';
import { ChoiceChip } from '../../parts/chips/index.ts';
import { CopyLink } from '../../parts/copy-link.tsx';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { RangeControl } from '../../parts/range/range.tsx';
import { Loaded, SkeletonCard } from '../../parts/states.tsx';
import { useAddress, useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { addDays, addMonths } from '../../state/days.ts';
import type { Query } from '../../state/query.ts';
import { salesQuery } from '../../state/range-query.ts';
import { type RangeState, useRange } from '../../state/range.ts';
import { usePlayAccount, useStoreConnection } from '../../state/store-connection.ts';
import { useApi } from '../../state/use-api.ts';
import { sales as t } from '../../texts/sales.ts';
import { Breakdowns } from './breakdowns.tsx';
import { SalesChart } from './chart.tsx';
import { NoStore, SyncNow, Trouble } from './connections.tsx';
import { Coverage } from './coverage.tsx';
import { Currencies, Unconverted } from './currencies.tsx';
import { isCollecting } from './day-states.ts';
import { Figures } from './figures.tsx';
import { knownDays, measureOf } from './measures.ts';

const POLL_SECONDS = 15;
/** While a year is collected, people watch. */
const WATCH_SECONDS = 5;
const YEAR_DAYS = 365;

const CHOICES = ['all', ...STORES] as const;
type Store = (typeof CHOICES)[number];

const storeOf = (text: string): Store => CHOICES.find((store) => store === text) ?? 'all';

type Asked = {
  store: Store;
  days?: number;
  from?: string;
  to?: string;
  currency?: string;
  storeAppId?: string;
  country?: string;
  sku?: string;
};

const useAnalytics = (query: Asked, everySeconds: number) =>
  useApi(api.getSalesAnalytics, { query }, { everySeconds });

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

function daysOf({ window, googlePlay }: Analytics, store: Store): string {
  const dates = dayRange(window.from, window.to);
  if (!googlePlay) return t.foot.days(dates);
  return store === 'all' ? t.foot.bothDays(dates) : t.foot.utcDays(dates);
}

const lastDay = (month: string): string => shortDay(addDays(addMonths(month, 1), -1));

function proceedsOf({ googlePlay }: Analytics): string[] {
  if (!googlePlay) return [];
  const { earningsThrough } = googlePlay;
  return [earningsThrough ? t.foot.earnings(lastDay(earningsThrough)) : t.foot.estimated];
}

function footOf(analytics: Analytics | undefined, { to }: RangeState, store: Store): string[] {
  if (!analytics) return [];
  const { window, freshness, currency, rates } = analytics;
  const known = knownDays(analytics);
  return [
    daysOf(analytics, store),
    ...(to > window.to ? [t.foot.notOver(shortDay(addDays(window.to, 1)))] : []),
    ...(analytics.isComparable
      ? [t.foot.before(dayRange(window.previousFrom, window.previousTo))]
      : []),
    ...(freshness.coveredThrough ? [t.foot.through(shortDay(freshness.coveredThrough))] : []),
    ...(known < window.days ? [t.foot.known(known, window.days)] : []),
    t.foot.money(currency),
    ...proceedsOf(analytics),
    ...(rates ? [t.foot.rates(calendarDay(rates.through))] : []),
  ];
}

function Pictures(props: { analytics: Analytics; range: RangeState; store: Store }) {
  const { analytics, range, store } = props;
  const [text, choose] = useSetting('measure', 'proceedsMinor');
  const measure = measureOf(text);
  const drawn = { analytics, measure };
  return (
    <>
      <Figures {...drawn} onMeasure={choose} />
      <Unconverted analytics={analytics} />
      <SalesChart
        {...drawn}
        onMeasure={choose}
        range={range}
        zone={t.zones[STORE_FACTS[store === 'all' ? STORES[0] : store].timeZone]}
      />
      <Breakdowns {...drawn} />
    </>
  );
}

const PicturesSkeleton = () => (
  <>
    <SkeletonCard class="sales-figures" shape="kpis" count={6} />
    <SkeletonCard class="sales-plot" shape="plot" />
    <SkeletonCard class="sales-parts" shape="rows" />
  </>
);

function useSales() {
  const range = useRange();
  const { query } = useLocation();
  const currency = useCurrency();
  const { storeApp: storeAppId, country, sku } = query;
  const [storeText, chooseStore] = useSetting('store', CHOICES[0]);
  const store = storeOf(storeText);
  const narrowed = {
    ...(storeAppId && { storeAppId }),
    ...(country && { country }),
    ...(sku && { sku }),
  };
  const asked = { store, ...salesQuery(range), ...currency.asked, ...narrowed };
  const analytics = useAnalytics(asked, POLL_SECONDS);
  const isWatched = useSignal(false);
  const everySeconds = isWatched.value ? WATCH_SECONDS : POLL_SECONDS;
  const ofYear = store === 'all' ? STORES[0] : store;
  const year = useAnalytics({ days: YEAR_DAYS, store: ofYear }, everySeconds);
  isWatched.value = Boolean(year.value.data && isCollecting(year.value.data));
  const isNarrowed = Object.keys(narrowed).length > 0;
  return { range, currency, analytics, year, isNarrowed, store, chooseStore };
}

function StoreChoice({ store, onChange }: { store: Store; onChange: (store: string) => void }) {
  return (
    <ChoiceChip
      name={t.store.label}
      word={t.store.word}
      options={CHOICES.map((value) => ({
        value,
        label: value === 'all' ? t.store.all : STORE_FACTS[value].label,
      }))}
      value={store}
      onChange={onChange}
    />
  );
}

/** Each store has days of its own. */
function Years(props: {
  store: Store;
  year: Query<Analytics>;
  appStore: boolean;
  googlePlay: boolean;
}) {
  const { store, year, appStore, googlePlay } = props;
  if (store === 'google_play') return <Coverage year={year} title={t.covered} />;
  const hasPlay = googlePlay && store === 'all';
  const title = hasPlay ? t.coveredOf(STORE_FACTS.app_store.label) : t.covered;
  return (
    <>
      {appStore && <Coverage year={year} title={title} />}
      {hasPlay && <PlayYear />}
    </>
  );
}

function PlayYear() {
  const year = useAnalytics({ days: YEAR_DAYS, store: 'google_play' }, POLL_SECONDS);
  return <Coverage year={year} title={t.coveredOf(STORE_FACTS.google_play.label)} />;
}

export function Sales() {
  const { range, currency, analytics, year, isNarrowed, store, chooseStore } = useSales();
  const connection = useStoreConnection();
  const account = usePlayAccount();
  const { data } = analytics.value;
  const hasSales = data !== undefined && data.freshness.coveredFrom !== null;
  const connected = {
    appStore: Boolean(connection.value.data),
    googlePlay: Boolean(account.value.data),
  };
  const hasPlay = connected.googlePlay || data?.googlePlay !== undefined;
  return (
    <Page
      question={t.question}
      help="store-analytics"
      actions={
        <>
          <span class="wide-only row">
            <CopyLink />
            <ExportMenu />
          </span>
          <SyncNow
            connected={connected}
            onDone={() => [analytics, year, connection, account].map((one) => one.refetch())}
          />
        </>
      }
      toolbar={{
        left: (
          <>
            {isNarrowed && <Narrowed analytics={data} />}
            {hasPlay && <StoreChoice store={store} onChange={chooseStore} />}
            {currency.choice}
          </>
        ),
        right: <RangeControl />,
      }}
      foot={footOf(data, range, store)}
    >
      <Loaded query={connection} skeleton={null}>
        {(found) => (found === null && !hasPlay ? <NoStore /> : <Trouble of={found} />)}
      </Loaded>
      <Trouble of={account.value.data} />
      <Loaded query={analytics} skeleton={<PicturesSkeleton />}>
        {(found) =>
          found.freshness.coveredFrom !== null && (
            <Pictures analytics={found} range={range} store={store} />
          )
        }
      </Loaded>
      <Years store={store} year={year} appStore={connected.appStore} googlePlay={hasPlay} />
      {hasSales && data && <Currencies analytics={data} />}
    </Page>
  );
}
