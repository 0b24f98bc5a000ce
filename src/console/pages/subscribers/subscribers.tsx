import { useRoute } from 'preact-iso';
import type { PurchasesOverview as Overview } from '../../../../clients/api/src/index.ts';
import {
  calendarDay,
  exactNumber,
  rate,
  roundMoney,
  when,
  wholeMoney,
  wholeUnits,
} from '../../format.ts';
import { TimeChart } from '../../parts/chart/index.ts';
import { useCurrency } from '../../parts/currency.tsx';
import { Choice } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { useDays } from '../../parts/range.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { subscribers as t } from '../../texts/subscribers.ts';
import { Cards } from './cards.tsx';
import { Customers } from './customers.tsx';
import { Churn, Movement, Trials } from './movement.tsx';
import { Parts } from './parts.tsx';
import { StoreCounts } from './store.tsx';

const POLL_SECONDS = 60;
const ENVIRONMENTS = [
  ['Production', t.environments.Production],
  ['Sandbox', t.environments.Sandbox],
] as const;

/** What a figure rests on, where it does not say all. */
function Caveats({ overview }: { overview: Overview }) {
  const { unconverted, withoutPrice, historyPending, familyShared, asOf, reported } = overview;
  const sellsBoth = overview.byProduct.length > 0 && overview.nonRenewing.purchases.count > 0;
  return (
    <>
      {unconverted.length > 0 && (
        <p class="notice warning">
          {t.unconverted}{' '}
          {unconverted.map(({ currency, active }) => `${currency} (${active})`).join(', ')}
        </p>
      )}
      {sellsBoth && <p class="notice">{t.sellsBoth}</p>}
      <p class="quiet">
        {t.asOf} {when(asOf)}. {t.utc} {withoutPrice > 0 && t.withoutPrice(withoutPrice)}{' '}
        {historyPending > 0 && t.historyPending(historyPending)}{' '}
        {familyShared > 0 && t.family(exactNumber(familyShared))}{' '}
        {reported &&
          t.known(
            exactNumber(reported.known),
            reported.paid,
            calendarDay(reported.day),
            reported.share === null ? '' : ` (${rate(reported.share)})`,
          )}
      </p>
    </>
  );
}

function Figures({ overview }: { overview: Overview }) {
  const { byDay, currency } = overview;
  const days = byDay.map(({ day }) => day);
  return (
    <>
      <Cards overview={overview} />
      <TimeChart
        title={`${t.mrr} (${currency})`}
        csvName="mrr"
        height={300}
        days={days}
        series={[
          {
            key: 'mrr',
            name: t.mrr,
            values: byDay.map(({ mrrMinor }) => wholeUnits(mrrMinor, currency)),
            slot: 3,
          },
        ]}
        format={{
          show: (value) => wholeMoney(value, currency),
          tick: (value) => roundMoney(value, currency),
          goodWhen: 'up',
        }}
      />
      <TimeChart
        title={t.subscriptions}
        csvName="subscriptions"
        height={244}
        days={days}
        series={[
          { key: 'active', name: t.active, values: byDay.map(({ active }) => active) },
          { key: 'trials', name: t.trials, values: byDay.map(({ trials }) => trials) },
          { key: 'retry', name: t.billingRetry, values: byDay.map((day) => day.billingRetry) },
        ]}
        format={{ show: exactNumber, isWhole: true }}
      />
      <Caveats overview={overview} />
      <Movement overview={overview} />
      <Churn overview={overview} />
      <Trials overview={overview} />
      <Parts overview={overview} />
    </>
  );
}

const isEmpty = ({ subscriptions, trials, byProduct, nonRenewing }: Overview) =>
  byProduct.length === 0 &&
  subscriptions.start + subscriptions.new + trials + nonRenewing.purchases.count === 0;

export function Subscribers() {
  const { params } = useRoute();
  const appId = params.id ?? '';
  const { days, choice } = useDays();
  const currency = useCurrency();
  const [chosen, choose] = useSetting('environment', 'Production');
  const environment = ENVIRONMENTS.find(([value]) => value === chosen)?.[0] ?? 'Production';
  const query = { days, ...currency.asked, environment };
  const overview = useQuery(
    `subscribers ${appId} ${JSON.stringify(query)}`,
    (signal) => api.getPurchasesOverview({ id: appId, query }, { signal }),
    { everySeconds: POLL_SECONDS },
  );
  return (
    <Page
      title={t.title}
      question={t.question}
      help="purchases"
      actions={
        <>
          {choice}
          {currency.choice}
          <Choice
            label={t.environment}
            name="environment"
            hideLabel
            options={ENVIRONMENTS}
            value={environment}
            onChange={choose}
          />
        </>
      }
    >
      <Loaded query={overview}>
        {(data) =>
          isEmpty(data) ? (
            <p class="notice">
              {t.empty}{' '}
              <a href="/help/purchases" target="_blank" rel="noreferrer">
                {t.toDocs}
              </a>
            </p>
          ) : (
            <Figures overview={data} />
          )
        }
      </Loaded>
      <StoreCounts appId={appId} days={days} />
      <Customers key={environment} appId={appId} environment={environment} />
    </Page>
  );
}
