import { useSignal } from '@preact/signals';
import { changeOf, money, shortNumber } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { useDays } from '../../parts/range.tsx';
import { Series } from '../../parts/series.tsx';
import { Answered } from '../../parts/states.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useQuestion } from '../../state/question.ts';
import { texts } from '../../texts/index.ts';
import { Breakdowns } from './breakdowns.tsx';
import { Connection } from './connection.tsx';
import { Coverage } from './coverage.tsx';

const t = texts.sales;
const POLL_SECONDS = 15;
const CURRENCIES = ['USD', 'EUR', 'GBP', 'JPY', 'CAD', 'AUD', 'CHF', 'BRL', 'INR', 'CNY'].map(
  (currency) => [currency, currency] as const,
);

export type Analytics = Awaited<ReturnType<typeof api.getSalesAnalytics>>;

function Totals({ analytics, days }: { analytics: Analytics; days: number }) {
  const { totals, previous, currency } = analytics;
  const against = (now: number, before: number) =>
    `${changeOf(now, before) ?? ''} ${t.against(days)}`;
  return (
    <div class="cards">
      <Card
        title={t.proceeds}
        figure={money(totals.proceedsMinor, currency)}
        note={against(totals.proceedsMinor, previous.proceedsMinor)}
        meaning={t.meaning}
      />
      <Card
        title={t.downloads}
        figure={shortNumber(totals.downloads)}
        note={against(totals.downloads, previous.downloads)}
      />
      <Card
        title={t.subscriptions}
        figure={shortNumber(totals.subscriptionUnits)}
        note={against(totals.subscriptionUnits, previous.subscriptionUnits)}
      />
      <Card
        title={t.refunds}
        figure={shortNumber(totals.refunds)}
        note={against(totals.refunds, previous.refunds)}
      />
    </div>
  );
}

function Figures({ analytics, days }: { analytics: Analytics; days: number }) {
  const { series, currency } = analytics;
  return (
    <>
      <Totals analytics={analytics} days={days} />
      <Series
        title={t.proceeds}
        csvName="sales"
        days={series.map(({ day }) => day)}
        lines={[
          {
            label: t.proceeds,
            values: series.map(({ covered, proceedsMinor }) => (covered ? proceedsMinor : null)),
          },
        ]}
        show={(value) => money(value, currency)}
      />
      <Coverage analytics={analytics} />
      <Breakdowns analytics={analytics} />
    </>
  );
}

function SyncNow({ onDone }: { onDone: () => void }) {
  const said = useSignal('');
  const isAsking = useSignal(false);
  const sync = async () => {
    isAsking.value = true;
    try {
      const { skipped, checked, rowsWritten, stoppedBecause } = await api.syncSales({
        body: { force: true },
      });
      said.value = stoppedBecause ?? (skipped ? t.skipped : t.synced(checked, rowsWritten));
      onDone();
    } catch (error) {
      said.value = error instanceof Error ? error.message : String(error);
    }
    isAsking.value = false;
  };
  return (
    <>
      <button type="button" onClick={sync} disabled={isAsking.value}>
        {t.sync}
      </button>
      <span class="quiet" role="status">
        {said.value}
      </span>
    </>
  );
}

export function Sales() {
  const { days, choice } = useDays();
  const [currency, setCurrency] = useSetting('currency', 'USD');
  const connection = useQuestion('store connection', (signal) =>
    api.getStoreConnection(undefined, { signal }),
  );
  const analytics = useQuestion(
    `analytics ${days} ${currency}`,
    (signal) => api.getSalesAnalytics({ query: { days, currency } }, { signal }),
    POLL_SECONDS,
  );
  const isConnected = Boolean(connection.value.answer);
  return (
    <Page
      title={t.title}
      question={t.question}
      help="store-analytics"
      actions={
        <>
          {choice}
          <Choice
            label={t.currency}
            name="currency"
            hideLabel
            options={CURRENCIES}
            value={currency}
            onChange={setCurrency}
          />
          {isConnected && <SyncNow onDone={analytics.again} />}
        </>
      }
    >
      <Answered asked={connection.value} again={connection.again}>
        {(found) => (
          <Connection connection={found} onChange={() => [connection.again(), analytics.again()]} />
        )}
      </Answered>
      {connection.value.answer !== undefined && (
        <Answered asked={analytics.value} again={analytics.again}>
          {(answer) =>
            (isConnected || answer.freshness.coveredFrom !== null) && (
              <Figures analytics={answer} days={days} />
            )
          }
        </Answered>
      )}
    </Page>
  );
}
