import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import type { Analytics } from '../../../../clients/api/src/index.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { useCurrency } from '../../parts/currency.tsx';
import { Page } from '../../parts/page.tsx';
import { useDays } from '../../parts/range.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { mayEdit } from '../../state/session.ts';
import { useStoreConnection } from '../../state/store-connection.ts';
import { texts } from '../../texts/index.ts';
import { sales as t } from '../../texts/sales.ts';
import { Coverage } from './coverage.tsx';
import { isCollecting } from './day-states.ts';
import { Figures } from './figures.tsx';

const POLL_SECONDS = 15;
/** While a year is collected, people watch. */
const WATCH_SECONDS = 5;
const YEAR_DAYS = 365;

type Window = {
  days: number;
  currency?: string;
  storeAppId?: string;
  country?: string;
  sku?: string;
};

const useAnalytics = (query: Window, everySeconds: number) =>
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

/** The state of the key, where something has to be done about it. */
function Connection() {
  const connection = useStoreConnection();
  return (
    <Loaded query={connection}>
      {(found) => {
        if (found === null) {
          return (
            <p class="notice">
              {t.noneWhy} <a href="/store">{t.connect}</a>
            </p>
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

/** What the page is narrowed to, out of its address. */
function useNarrowed() {
  const { query } = useLocation();
  const { app: storeAppId, country, sku } = query;
  return {
    ...(storeAppId && { storeAppId }),
    ...(country && { country }),
    ...(sku && { sku }),
  };
}

function namesOf(analytics: Analytics | undefined): ReadonlyMap<string, string> {
  const { byApp = [], byCountry = [], products = [] } = analytics ?? {};
  return new Map([
    ...[...byApp, ...byCountry].map(({ key, label }) => [key, label] as const),
    ...products.map(({ sku, title }) => [sku, title] as const),
  ]);
}

export function Sales() {
  const { days, choice } = useDays();
  const currency = useCurrency();
  const narrowed = useNarrowed();
  const only = Object.values(narrowed);
  const analytics = useAnalytics({ days, ...currency.asked, ...narrowed }, POLL_SECONDS);
  const isWatched = useSignal(false);
  const year = useAnalytics({ days: YEAR_DAYS }, isWatched.value ? WATCH_SECONDS : POLL_SECONDS);
  isWatched.value = Boolean(year.value.data && isCollecting(year.value.data));
  const connection = useStoreConnection();
  const { query, route } = useLocation();
  const coverage = connection.value.data !== null && <Coverage year={year} />;
  const names = namesOf(analytics.value.data);
  const showAll = () => {
    const { app: _, country: __, sku: ___, ...others } = query;
    route(`/sales?${new URLSearchParams(others)}`);
  };
  return (
    <Page
      title={t.title}
      question={t.question}
      help="store-analytics"
      actions={
        <>
          {choice}
          {currency.choice}
          <SyncNow
            isConnected={connection.value.data !== null}
            onDone={() => [analytics.refetch(), year.refetch(), connection.refetch()]}
          />
        </>
      }
    >
      <Connection />
      {only.length > 0 && (
        <p>
          {t.narrowed} <strong>{only.map((key) => names.get(key) ?? key).join(', ')}</strong>{' '}
          <button type="button" class="link" onClick={showAll}>
            {t.all}
          </button>
        </p>
      )}
      <Loaded query={analytics}>
        {(data) =>
          data.freshness.coveredFrom === null ? (
            coverage
          ) : (
            <Figures analytics={data} days={days}>
              {coverage}
            </Figures>
          )
        }
      </Loaded>
      <p class="quiet">{t.source}</p>
    </Page>
  );
}
