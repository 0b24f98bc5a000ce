import { useRoute } from 'preact-iso';
import { ago, dayWithWeekday } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { RangeControl } from '../../parts/range.tsx';
import { Empty } from '../../parts/states.tsx';
import { knownDays, type Sales } from '../../state/app-figures.ts';
import { useApps } from '../../state/apps.ts';
import { resultsQuestion } from '../../state/experiments.ts';
import { useInsights } from '../../state/insights.ts';
import { useMarks } from '../../state/marks.ts';
import { latestDay } from '../../state/people-days.ts';
import { useLinks } from '../../state/place.ts';
import { type Query, useQuery } from '../../state/query.ts';
import { type RangeState, useRange } from '../../state/range.ts';
import { marksQuery } from '../../state/range-query.ts';
import { useSummary } from '../../state/summary.ts';
import { today as t } from '../../texts/today.ts';
import { Answer } from './answer.tsx';
import { SubjectChart } from './chart.tsx';
import { ExperimentCard } from './experiment.tsx';
import { Figures, useSubject } from './figures.tsx';
import { FunnelCard } from './funnel.tsx';
import { useOverview } from './overview.ts';
import { Pinned, PinMenu } from './pinned.tsx';
import { Side, useLooks } from './side.tsx';
import { Versions } from './versions.tsx';

/** So long without an event still counts as arriving. */
const SILENT_MS = 24 * 3_600_000;

function EventsNote({ last }: { last: string | null }) {
  if (last === null) return <span>{t.foot.none}</span>;
  const isSilent = Date.now() - Date.parse(last) > SILENT_MS;
  return (
    <span class="row">
      <span class={isSilent ? 'dot warn' : 'dot'} />
      {isSilent ? t.foot.silent(ago(last)) : t.foot.arrives(ago(last))}
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
    <section class="card">
      <Empty
        icon={icons.connections}
        title={t.empty.title}
        text={t.empty.why}
        action={
          <Button kind="primary" href={linkTo('connect') ?? '/'}>
            {t.empty.connect}
          </Button>
        }
      />
    </section>
  );
}

export function Today() {
  const { params } = useRoute();
  const appId = params.id ?? '';
  const app = useApps().value.data?.find(({ id }) => id === appId);
  const range = useRange();
  const overview = useOverview(appId, app, range);
  const { isSettled, people, conversion, sales, revenue, queries } = overview;
  const summary = useSummary(appId);
  const insights = useInsights(appId, isSettled);
  const running = resultsQuestion(appId);
  const results = useQuery(running.key, running.fetch, { enabled: isSettled });
  const marks = useMarks(appId, marksQuery(range));
  const [subject] = useSubject();
  const looks = useLooks({
    appId,
    insights: insights.value.data,
    sales: queries.sales.value.data,
    hasStore: Boolean(sales),
    results: results.value.data ?? [],
  });
  const last = summary.value.data?.lastEventAt;
  const hasEvents = last !== null || (people && latestDay(people) !== undefined);
  return (
    <Page
      title={t.title}
      question={t.question}
      help="insights"
      actions={
        <>
          <PinMenu appId={appId} funnel={conversion?.funnel.name} />
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
        <Answer insights={insights} latest={people ? latestDay(people) : undefined} />
      ) : (
        <NoEvents />
      )}
      <Figures overview={overview} range={range} />
      <div class="grid eight-four stretch">
        <SubjectChart
          appId={appId}
          subject={subject}
          overview={overview}
          range={range}
          marks={marks.drawn}
          onNote={marks.refetch}
        />
        <Side
          appId={appId}
          today={range.today}
          looks={looks}
          isPending={isPending(insights) || isPending(results)}
          enabled={isSettled}
        />
      </div>
      <div class="grid three stretch">
        <FunnelCard query={queries.conversion} />
        <Versions appId={appId} range={range} />
        <ExperimentCard appId={appId} query={results} />
      </div>
      <Pinned appId={appId} today={range.today} />
    </Page>
  );
}
