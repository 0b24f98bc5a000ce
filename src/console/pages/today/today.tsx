import { useRoute } from 'preact-iso';
import {
  ago,
  changeOf,
  exactNumber,
  money,
  shortNumber,
  signedRate,
  UNKNOWN,
} from '../../format.ts';
import { FigureCard } from '../../parts/figure-card.tsx';
import { Page } from '../../parts/page.tsx';
import { ErrorNotice, Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import { useInsights } from '../../state/insights.ts';
import { useQuery } from '../../state/query.ts';
import { hasRevenue, OVERVIEW_DAYS, useRevenue, useSalesOverview } from '../../state/sales.ts';
import { useSummary } from '../../state/summary.ts';
import { home as homeTexts } from '../../texts/home.ts';
import { sales as salesTexts } from '../../texts/sales.ts';
import { subscribers as subscribersTexts } from '../../texts/subscribers.ts';
import { today as t } from '../../texts/today.ts';
import { Pinned, wholeFunnel } from './pinned.tsx';

const DAYS = OVERVIEW_DAYS;

type Insights = Awaited<ReturnType<typeof api.getInsights>>;

/** The page on which each recommendation is looked into, of the app unless it begins with a slash. */
const PLACES: Record<Insights['recommendations'][number]['code'], string> = {
  events_not_arriving: 'connect',
  store_days_missing: '/sales',
  too_few_people: 'funnels',
  biggest_leak: 'funnels?compare=previous',
  paywall_before_value: 'funnels',
  trial_not_offered: 'subscribers',
  conversion_falling: 'funnels?compare=previous',
  refunds_rising: '/sales?measure=refunds',
  country_buys_but_does_not_convert: 'funnels?breakdown=country',
};

function Recommendations({ insights }: { insights: Insights }) {
  const { appId } = insights;
  if (insights.recommendations.length === 0) return <p class="quiet">{t.nothing}</p>;
  return (
    <ul>
      {insights.recommendations.map(({ code, severity, title, detail }) => (
        <li key={code}>
          <strong class={severity === 'act' ? 'bad' : severity === 'warn' ? 'warning' : 'quiet'}>
            {t.severity[severity]}
          </strong>{' '}
          <strong>{title}</strong> {detail}{' '}
          <a href={PLACES[code].replace(/^(?!\/)/, `/apps/${appId}/`)}>{t.open}</a>
        </li>
      ))}
    </ul>
  );
}

type Summary = Awaited<ReturnType<typeof api.getEventSummary>>;

/** People with an event, against the window before, and when the last one came. */
function PeopleCard(props: { appId: string; summary: Summary; change: number | null }) {
  const { appId, summary, change } = props;
  const { people, events, lastEventAt } = summary;
  const parts = [
    change !== null && `${signedRate(change)} ${salesTexts.against(DAYS)}`,
    t.events(events),
    lastEventAt ? ago(lastEventAt) : homeTexts.never,
  ];
  return (
    <FigureCard
      title={t.people}
      href={`/apps/${appId}/trends`}
      figure={<span title={exactNumber(people)}>{shortNumber(people)}</span>}
      note={parts.filter(Boolean).join(' · ')}
      meaning={t.peopleMeaning}
    />
  );
}

function FunnelCard({ appId, insights }: { appId: string; insights: Insights | undefined }) {
  const funnel = insights?.funnel;
  if (!funnel) return <FigureCard title={t.funnel} figure={insights && UNKNOWN} />;
  return <FigureCard title={t.funnel} href={`/apps/${appId}/funnels`} {...wholeFunnel(funnel)} />;
}

/** Proceeds and downloads of the app's store product, against the window before. */
function StoreCards({ storeAppId }: { storeAppId: string | null }) {
  const analytics = useSalesOverview();
  const { data, error } = analytics.value;
  if (storeAppId === null) return <FigureCard title={t.proceeds} figure="–" note={t.notLinked} />;
  if (error && !data) return <ErrorNotice error={error} refetch={analytics.refetch} />;
  const now = data?.byApp.find((app) => app.storeAppId === storeAppId);
  const before = data?.previousByApp.find(({ key }) => key === now?.key);
  if (!data) return <FigureCard title={t.proceeds} figure={undefined} />;
  if (!now) return <FigureCard title={t.proceeds} figure="–" note={homeTexts.never} />;
  const note = (current: number, previous: number | undefined) =>
    data.isComparable
      ? `${previous === undefined ? '' : (changeOf(current, previous) ?? '')} ${salesTexts.against(DAYS)}`
      : salesTexts.nothingBefore;
  return (
    <>
      <FigureCard
        title={t.proceeds}
        href="/sales"
        figure={money(now.proceedsMinor, data.currency)}
        note={note(now.proceedsMinor, before?.proceedsMinor)}
        meaning={salesTexts.meaning}
      />
      <FigureCard
        title={t.downloads}
        href="/sales"
        figure={shortNumber(now.downloads)}
        note={note(now.downloads, before?.downloads)}
      />
    </>
  );
}

/** What subscribers pay for a month, where anybody has bought anything. */
function RevenueCard({ appId }: { appId: string }) {
  const { data } = useRevenue(appId).value;
  if (!data || !hasRevenue(data)) return null;
  const change = changeOf(data.mrr.end, data.mrr.start);
  return (
    <FigureCard
      title={subscribersTexts.mrr}
      href={`/apps/${appId}/subscribers`}
      figure={money(data.mrrMinor, data.currency)}
      note={[
        change && `${change} ${subscribersTexts.inWindow(data.days)}`,
        t.active(exactNumber(data.active)),
      ]
        .filter(Boolean)
        .join(' · ')}
      meaning={subscribersTexts.meanings.mrr}
    />
  );
}

export function Today() {
  const { params } = useRoute();
  const appId = params.id ?? '';
  const apps = useApps();
  const app = apps.value.data?.find(({ id }) => id === appId);
  const summary = useSummary(appId);
  // Asked together with the summary, which insights read too: the service reads it once for both.
  const insights = useInsights(appId);
  const totals = useQuery(
    `totals ${appId}`,
    (signal) => api.getEventSeries({ id: appId, query: { days: DAYS, compare: true } }, { signal }),
    { enabled: insights.value.data !== undefined || insights.value.error !== undefined },
  );
  return (
    <Page title={t.title} question={t.question} help="insights">
      {app?.status === 'provisioning' && <p class="notice">{t.setUp}</p>}
      <div class="cards">
        <Loaded query={summary}>
          {(data) => (
            <PeopleCard
              appId={appId}
              summary={data}
              change={totals.value.data?.totals.peopleChange ?? null}
            />
          )}
        </Loaded>
        <FunnelCard appId={appId} insights={insights.value.data} />
        {app && <StoreCards storeAppId={app.storeAppId} />}
        <RevenueCard appId={appId} />
      </div>
      <Pinned appId={appId} />
      <h2>{t.look}</h2>
      <Loaded query={insights}>{(data) => <Recommendations insights={data} />}</Loaded>
    </Page>
  );
}
