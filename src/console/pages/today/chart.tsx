import { useLocation } from 'preact-iso';
import { Card } from '../../parts/card.tsx';
import { type ChartMark, Fill, TimeChart } from '../../parts/chart/index.ts';
import * as icons from '../../parts/icons.ts';
import { Empty, ErrorNotice } from '../../parts/states.tsx';
import { lateDays } from '../../state/app-sales.ts';
import { VERSION } from '../../state/filter-rules.ts';
import type { Had } from '../../state/had.ts';
import { latestDay } from '../../state/people-days.ts';
import { useLinks } from '../../state/place.ts';
import type { Query } from '../../state/query.ts';
import type { RangeState } from '../../state/range.ts';
import { figures } from '../../texts/figures.ts';
import { today as todayTexts } from '../../texts/today.ts';
import { AddNote } from './add-note.tsx';
import {
  conversionDrawing,
  type Drawing,
  mrrDrawing,
  peopleDrawing,
  proceedsDrawing,
} from './drawing.ts';
import type { Subject } from './figures.tsx';
import type { Overview } from './overview.ts';

const t = todayTexts.charts;

const PLOT_PX = 348;

type Subjects = {
  title: string;
  sub: string;
  drawing: Had<Drawing>;
  why: string;
  query: Query<unknown>;
  page: 'trends' | 'funnels' | 'sales' | 'subscribers';
};

function conversionSubject({ conversion, queries }: Overview, zone: string): Subjects {
  const isByDay = conversion?.interval === 'day';
  const report = conversion?.report;
  const isFew = report && report.overall.rate === null;
  return {
    title: isByDay ? t.conversionByDay : t.conversion,
    sub: report ? `${report.name}, ${zone}` : zone,
    drawing:
      conversion && report && !isFew
        ? conversionDrawing(report, conversion.interval)
        : conversion && null,
    why: report ? t.tooFew(report.people, report.minimumPeople) : figures.noFunnel,
    query: queries.conversion,
    page: 'funnels',
  };
}

function subjectOf(subject: Subject, overview: Overview, zone: string): Subjects {
  const { people, newPeople, sales, revenue, queries } = overview;
  const ofPeople = (days: Had<typeof people>, name: string): Had<Drawing> =>
    days && (latestDay(days) ? peopleDrawing(days, name) : null);
  const sold = queries.sales.value.data;
  switch (subject) {
    case 'new':
      return {
        title: t.new,
        sub: t.hollow(zone),
        drawing: ofPeople(newPeople, t.line.new),
        why: t.noPeople,
        query: queries.newPeople,
        page: 'trends',
      };
    case 'conversion':
      return conversionSubject(overview, zone);
    case 'proceeds':
      return {
        title: t.proceeds,
        sub: t.pacific,
        drawing: sales && proceedsDrawing(sales, sold ? lateDays(sold) : []),
        why: t.noSales,
        query: queries.sales,
        page: 'sales',
      };
    case 'mrr':
      return {
        title: t.mrr,
        sub: t.utc,
        drawing: revenue && mrrDrawing(revenue),
        why: t.noMoney,
        query: queries.revenue,
        page: 'subscribers',
      };
    default:
      return {
        title: t.people,
        sub: t.hollow(zone),
        drawing: ofPeople(people, t.line.people),
        why: t.noPeople,
        query: queries.people,
        page: 'trends',
      };
  }
}

function useMarkRoute(appId: string) {
  const { route } = useLocation();
  return ({ experimentId, version, kind }: ChartMark) => {
    if (experimentId) route(`/apps/${appId}/experiments/${experimentId}`);
    else if (version) {
      route(`/apps/${appId}/trends?${new URLSearchParams({ [VERSION]: version })}`);
    } else if (kind === 'price') route(`/apps/${appId}/subscribers`);
  };
}

function Plot(props: {
  appId: string;
  subject: Subject;
  at: Subjects;
  marks: readonly ChartMark[];
  range: RangeState;
  height: number;
}) {
  const { appId, subject, at, marks, range, height } = props;
  const { route } = useLocation();
  const openMark = useMarkRoute(appId);
  const { drawing, query } = at;
  const { error, data } = query.value;
  if (error && data === undefined) {
    return <ErrorNotice error={error} refetch={query.refetch} />;
  }
  if (drawing === undefined) {
    return <div class="skeleton plot-skeleton" aria-busy="true" />;
  }
  if (drawing === null) {
    return <Empty icon={icons.trends} title={t.none} text={at.why} />;
  }
  const openDay = (day: string) => {
    const query = [range.carried.slice(1), `point=${day}`].filter(Boolean).join('&');
    route(`/apps/${appId}/trends?${query}`);
  };
  return (
    <TimeChart
      {...drawing}
      title={at.title}
      csvName={`today-${subject}`}
      height={height}
      marks={marks}
      zone={range.timezone}
      onMark={openMark}
      onRange={(from, to) => range.setRange({ kind: 'dates', from, to })}
      {...(subject === 'people' && {
        onDay: openDay,
        actionOf: (index: number) => {
          const people = drawing.series[0]?.values[index] ?? null;
          return people === null ? null : t.click(people);
        },
      })}
    />
  );
}

export function SubjectChart(props: {
  appId: string;
  subject: Subject;
  overview: Overview;
  range: RangeState;
  marks: readonly ChartMark[];
}) {
  const { appId, subject, overview, range, marks } = props;
  const linkTo = useLinks();
  const at = subjectOf(subject, overview, range.timezone);
  const href = linkTo(at.page, at.page === 'sales' ? undefined : appId);
  return (
    <Card
      title={at.title}
      sub={at.sub}
      actions={<AddNote appId={appId} day={range.today} />}
      {...(href && { href })}
    >
      <Fill least={PLOT_PX}>
        {(height) => (
          <Plot
            appId={appId}
            subject={subject}
            at={at}
            marks={marks}
            range={range}
            height={height}
          />
        )}
      </Fill>
    </Card>
  );
}
