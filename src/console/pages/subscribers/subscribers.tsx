import { useRoute } from 'preact-iso';
import type { PurchasesOverview as Overview } from '../../../../clients/api/src/index.ts';
import { exactNumber, whenInZone } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { ExportMenu } from '../../parts/chart/export-menu.tsx';
import { useCurrency } from '../../parts/chips/currency.tsx';
import { CopyLink } from '../../parts/copy-link.tsx';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { RangeControl } from '../../parts/range/range.tsx';
import { EmptyCard, Loaded, SkeletonCard } from '../../parts/states.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useLinks, usePlace } from '../../state/place.ts';
import { purchasesQuery } from '../../state/range-query.ts';
import { type RangeState, useRange } from '../../state/range.ts';
import { useApi } from '../../state/use-api.ts';
import { subscribers as t } from '../../texts/subscribers.ts';
import { Cash } from './cash.tsx';
import { MainChart } from './chart.tsx';
import { Customers } from './customers.tsx';
import { Figures } from './figures.tsx';
import { Movement } from './movement.tsx';
import { Products } from './products.tsx';
import { StoreCounts } from './store-counts.tsx';
import { subjectOf } from './subject.ts';
import { Trials } from './trials.tsx';
import { WorthCard } from './worth.tsx';

const POLL_SECONDS = 60;

const isEmpty = ({ subscriptions, trials, byProduct, nonRenewing }: Overview) =>
  byProduct.length === 0 &&
  subscriptions.start + subscriptions.new + trials + nonRenewing.purchases.count === 0;

function Notices({ overview }: { overview: Overview }) {
  const { unconverted, byProduct, nonRenewing } = overview;
  const sellsBoth = byProduct.length > 0 && nonRenewing.purchases.count > 0;
  return (
    <>
      {unconverted.length > 0 && (
        <p class="notice warn">
          {t.unconverted}{' '}
          {unconverted.map(({ currency, active }) => `${currency} (${active})`).join(', ')}
        </p>
      )}
      {sellsBoth && <p class="notice">{t.sellsBoth}</p>}
    </>
  );
}

function footOf(overview: Overview | undefined): string[] {
  if (!overview) return [];
  const { asOf, withoutPrice, historyPending, familyShared } = overview;
  return [
    t.asOf(whenInZone(asOf, 'UTC')),
    ...(withoutPrice > 0 ? [t.withoutPrice(withoutPrice)] : []),
    ...(historyPending > 0 ? [t.historyPending(historyPending)] : []),
    ...(familyShared > 0 ? [t.family(exactNumber(familyShared))] : []),
  ];
}

function Pictures(props: { appId: string; overview: Overview; range: RangeState }) {
  const { appId, overview, range } = props;
  const [text, choose] = useSetting('chart', 'mrr');
  const subject = subjectOf(text);
  return (
    <>
      <Notices overview={overview} />
      <Figures overview={overview} subject={subject} onSubject={choose} />
      <div class="grid eight-four stretch">
        <MainChart
          appId={appId}
          overview={overview}
          range={range}
          subject={subject}
          onSubject={choose}
        />
        <Movement overview={overview} />
      </div>
      <div class="grid two stretch">
        <Trials overview={overview} />
        <Products overview={overview} />
      </div>
    </>
  );
}

const PicturesSkeleton = () => (
  <>
    <SkeletonCard class="subscriber-figures" shape="kpis" count={6} />
    <div class="grid eight-four subscriber-plots">
      <SkeletonCard shape="plot" />
      <SkeletonCard shape="plot" />
    </div>
    <div class="grid two subscriber-parts">
      <SkeletonCard shape="plot" />
      <SkeletonCard shape="rows" />
    </div>
  </>
);

function Nobody() {
  const linkTo = useLinks();
  return (
    <EmptyCard
      icon={icons.subscribers}
      title={t.empty}
      text={t.emptyWhy}
      action={<Button href={linkTo('purchases') ?? '/'}>{t.connect}</Button>}
    />
  );
}

export function Subscribers() {
  const appId = useRoute().params.id ?? '';
  const { app } = usePlace();
  const range = useRange();
  const currency = useCurrency();
  const [chosen, choose] = useSetting('environment', 'Production');
  const environment = chosen === 'Sandbox' ? 'Sandbox' : 'Production';
  const query = { ...purchasesQuery(range), ...currency.asked, environment } as const;
  const overview = useApi(
    api.getPurchasesOverview,
    { id: appId, query },
    { everySeconds: POLL_SECONDS },
  );
  const isSandbox = environment === 'Sandbox';
  return (
    <Page
      question={t.question}
      help="purchases"
      actions={
        <>
          {isSandbox && (
            <Button kind="dashed" icon={icons.close} onClick={() => choose('Production')}>
              {t.sandbox}
            </Button>
          )}
          <span class="wide-only">
            <CopyLink />
          </span>
          <span class="wide-only">
            <ExportMenu />
          </span>
          {currency.choice}
          <RangeControl />
        </>
      }
      foot={[
        ...footOf(overview.value.data),
        !isSandbox && (
          <button type="button" class="link" onClick={() => choose('Sandbox')}>
            {t.showSandbox}
          </button>
        ),
      ]}
    >
      <Loaded query={overview} skeleton={<PicturesSkeleton />}>
        {(data) =>
          isEmpty(data) ? <Nobody /> : <Pictures appId={appId} overview={data} range={range} />
        }
      </Loaded>
      {!isSandbox && overview.value.data && !isEmpty(overview.value.data) && (
        <div class="grid two stretch">
          <WorthCard appId={appId} asked={currency.asked} />
          <Cash appId={appId} asked={{ ...purchasesQuery(range), ...currency.asked }} />
        </div>
      )}
      <Customers key={environment} appId={appId} environment={environment} />
      {app && app.storeAppId !== null && <StoreCounts storeAppId={app.storeAppId} range={range} />}
    </Page>
  );
}
