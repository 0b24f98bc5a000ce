import { useRoute } from 'preact-iso';
import { dayWithWeekday, shortAgo } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { ExportMenu } from '../../parts/chart/export-menu.tsx';
import type { ChartMark } from '../../parts/chart/index.ts';
import { useMarks } from '../../parts/chart/marks.ts';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { RangeControl } from '../../parts/range/range.tsx';
import { knownDays, type Sales } from '../../state/app-figures.ts';
import { useApps } from '../../state/apps.ts';
import { resultsQuestion } from '../../state/experiments.ts';
import { hasUnchecked, type Insights, useInsights } from '../../state/insights.ts';
import { latestDay } from '../../state/people-days.ts';
import { useLinks } from '../../state/place.ts';
import { type Query, useQuery } from '../../state/query.ts';
import { marksQuery } from '../../state/range-query.ts';
import { type RangeState, useRange } from '../../state/range.ts';
import { useSummary } from '../../state/summary.ts';
import { versionTones } from '../../state/version-comparison.ts';
import { today as t } from '../../texts/today.ts';
import { Answer } from './answer.tsx';
import { SubjectChart } from './chart.tsx';
import { ExperimentCard } from './experiment.tsx';
import { Figures, type Subject, useSubject } from './figures.tsx';
import { FunnelCard } from './funnel.tsx';
import { type Overview, useOverview } from './overview.ts';
import { PinMenu, Pinned } from './pinned.tsx';
import { Side, useLooks } from './side.tsx';
import { Versions } from './versions.tsx';

const SILENT_MS = 24 * 3_600_000;

function EventsNote({ last }: { last: string | null }) {
  if (last === null) return <span>{t.foot.none}</span>;
  const isSilent = Date.now() - Date.parse(last) > SILENT_MS;
  return (
    <span class="row">
      <span class={isSilent ? 'dot warn' : 'dot'} />
      {isSilent ? t.foot.silent(shortAgo(last)) : t.foot.arrives(shortAgo(last))}
    </span>
  );
}

function footOf(props: {
  last: string | null | undefined;
  range: RangeState;
  sales: Sales | undefined;
  hasRevenue: boolean;
}) {
  const { last, range, sales, hasRevenue } = props;
  const through = sales?.freshness.coveredThrough;
  const { known, of } = sales ? knownDays(sales, range) : { known: 0, of: 0 };
  return [
    ...(last === undefined ? [] : [<EventsNote key="events" last={last} />]),
    t.foot.zone(range.timezone),
    ...(through ? [t.foot.store(dayWithWeekday(through), known, of)] : []),
    ...(hasRevenue ? [t.foot.subscribers] : []),
  ];
}

const isPending = ({ value: { data, error } }: Query<unknown>): boolean =>
  data === undefined && error === undefined;

function NoEvents() {
  const linkTo = useLinks();
  return (
    <div class="answer">
      <span class="square accent">
        <icons.connections />
      </span>
      <div class="answer-words">
        <p class="say">
          <b>{t.empty.title}</b>
        </p>
        <div class="answer-note">{t.empty.why}</div>
      </div>
      <Button kind="primary" href={linkTo('connect') ?? '/'}>
        {t.empty.connect}
      </Button>
    </div>
  );
}

function toned(marks: readonly ChartMark[], insights: Insights | undefined): readonly ChartMark[] {
  const tones = versionTones(insights?.recommendations ?? []);
  if (tones.size === 0) return marks;
  return marks.map((mark) => {
    const tone = mark.version === undefined ? undefined : tones.get(mark.version);
    return tone ? { ...mark, tone } : mark;
  });
}

function Cards(props: {
  appId: string;
  overview: Overview;
  range: RangeState;
  subject: Subject;
  insights: Query<Insights>;
  hasEvents: boolean;
}) {
  const { appId, overview, range, subject, insights, hasEvents } = props;
  const { shown, sales, isSettled, queries } = overview;
  const running = resultsQuestion(appId);
  const results = useQuery(running.key, running.fetch, { enabled: isSettled });
  const marks = useMarks(appId, marksQuery(range));
  const looks = useLooks({
    appId,
    insights: insights.value.data,
    sales: queries.sales.value.data,
    hasStore: Boolean(sales),
    results: results.value.data ?? [],
  });
  return (
    <>
      <div class="grid eight-four stretch">
        <SubjectChart
          appId={appId}
          subject={subject}
          overview={overview}
          range={range}
          marks={toned(marks.drawn, insights.value.data)}
        />
        <Side
          appId={appId}
          today={range.today}
          looks={looks}
          isPending={isPending(insights) || isPending(results)}
          hasFailed={insights.value.error !== undefined}
          hasUnchecked={insights.value.data !== undefined && hasUnchecked(insights.value.data)}
          enabled={isSettled}
        />
      </div>
      {hasEvents && (
        <div class="grid three stretch">
          <FunnelCard query={queries.conversion} />
          <Versions appId={appId} range={shown} />
          <ExperimentCard appId={appId} query={results} />
        </div>
      )}
      <Pinned appId={appId} today={range.today} />
    </>
  );
}

export function Today() {
  const appId = useRoute().params.id ?? '';
  const apps = useApps().value;
  const app = apps.data?.find(({ id }) => id === appId) ?? (apps.error ? null : undefined);
  const range = useRange();
  const overview = useOverview(appId, app, range);
  const { isSettled, people, conversion, sales, revenue, queries } = overview;
  const insights = useInsights(appId, isSettled);
  const last = useSummary(appId).value.data?.lastEventAt;
  const latest = people ? latestDay(people) : undefined;
  const hasEvents = last !== null || latest !== undefined;
  const hasMoney = Boolean(sales || revenue);
  const [subject, choose] = useSubject(!hasEvents && sales ? 'proceeds' : 'people');
  return (
    <Page
      question={t.question}
      help="insights"
      actions={
        <>
          {hasEvents && <PinMenu appId={appId} funnel={conversion?.funnel.name} />}
          <span class="wide-only">
            <ExportMenu />
          </span>
          <RangeControl />
        </>
      }
      foot={footOf({
        last,
        range,
        sales: sales ? queries.sales.value.data : undefined,
        hasRevenue: Boolean(revenue),
      })}
    >
      {app?.status === 'provisioning' && <p class="notice">{t.setUp}</p>}
      {hasEvents ? (
        <Answer insights={insights} latest={latest} today={range.today} />
      ) : (
        <NoEvents />
      )}
      <Figures overview={overview} range={range} subject={subject} choose={choose} />
      {(hasEvents || hasMoney) && (
        <Cards
          appId={appId}
          overview={overview}
          range={range}
          subject={subject}
          insights={insights}
          hasEvents={hasEvents}
        />
      )}
    </Page>
  );
}
