import { useLocation } from 'preact-iso';
import { wholeUnits } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { GOOD_COUNTS, moneyFormat } from '../../parts/chart/formats.ts';
import {
  type ChartSeries,
  type Figure,
  Fill,
  type Format,
  TimeChart,
} from '../../parts/chart/index.ts';
import * as icons from '../../parts/icons.ts';
import { Segmented } from '../../parts/segmented.tsx';
import { Empty } from '../../parts/states.tsx';
import { useChoice } from '../../state/address.ts';
import { lateDays } from '../../state/app-sales.ts';
import { peopleOfAll } from '../../state/people-days.ts';
import type { RangeState } from '../../state/range.ts';
import { figures } from '../../texts/figures.ts';
import { home as homeTexts } from '../../texts/home.ts';
import type { Overview, Row } from './overview.ts';

const t = homeTexts.charts;

const SUBJECTS = ['people', 'mrr', 'downloads'] as const;
type Subject = (typeof SUBJECTS)[number];

/** The other apps are one together. */
const NAMED = 6;
const HEIGHT_PX = 330;

type Drawing = {
  days: readonly string[];
  series: readonly ChartSeries[];
  format: Format;
  kind: 'line' | 'bar';
  isLastPartial: boolean;
  late: readonly string[];
};

type Line = { app: Row['app']; values: readonly Figure[] };

const added = (lines: readonly Line[]): Figure[] =>
  (lines[0]?.values ?? []).map((_, at) => {
    const known = lines.flatMap(({ values }) => values[at] ?? []);
    return known.length > 0 ? known.reduce((sum, one) => sum + one, 0) : null;
  });

const lastOf = ({ values }: Line): number => values.findLast((value) => value !== null) ?? 0;

function seriesOf(lines: readonly Line[]): ChartSeries[] {
  const sorted = lines.toSorted((one, other) => lastOf(other) - lastOf(one));
  const named = sorted.length > NAMED ? sorted.slice(0, NAMED - 1) : sorted;
  const rest = sorted.slice(named.length);
  const series = named.map(
    ({ app, values }): ChartSeries => ({ key: app.id, name: app.displayName, values }),
  );
  if (rest.length === 0) return series;
  return [...series, { key: 'other', name: t.other, values: added(rest), slot: 'other' }];
}

function placed(
  days: readonly string[],
  own: readonly string[],
  values: readonly Figure[],
): Figure[] {
  const at = new Map(own.map((day, index) => [day, values[index] ?? null]));
  return days.map((day) => at.get(day) ?? null);
}

function peopleDrawing(rows: readonly Row[]): Drawing {
  const { days, isLastPartial } = peopleOfAll(rows.flatMap(({ people }) => people ?? []));
  const lines = rows.flatMap(({ app, people }) =>
    people?.values.some((value) => value !== null)
      ? [{ app, values: placed(days, people.days, people.values) }]
      : [],
  );
  return {
    days,
    series: seriesOf(lines),
    format: GOOD_COUNTS,
    kind: 'line',
    isLastPartial,
    late: [],
  };
}

function mrrDrawing(rows: readonly Row[]): Drawing {
  const paying = rows.flatMap(({ app, revenue }) => (revenue ? [{ app, revenue }] : []));
  const { byDay = [], currency = 'USD' } = paying[0]?.revenue ?? {};
  const lines = paying.map(({ app, revenue }) => ({
    app,
    values: revenue.byDay.map(({ mrrMinor }) => wholeUnits(mrrMinor, currency)),
  }));
  return {
    days: byDay.map(({ day }) => day),
    series: seriesOf(lines),
    format: moneyFormat(currency),
    kind: 'line',
    isLastPartial: false,
    late: [],
  };
}

function downloadsDrawing({ rows, sales }: Overview): Drawing {
  const { data } = sales.value;
  const lines = rows.flatMap(({ app, sales: own }) =>
    own ? [{ app, values: own.downloadsByDay }] : [],
  );
  return {
    days: data?.series.map(({ day }) => day) ?? [],
    series: seriesOf(lines),
    format: GOOD_COUNTS,
    kind: 'bar',
    isLastPartial: false,
    late: data ? lateDays(data) : [],
  };
}

function drawingOf(subject: Subject, overview: Overview): Drawing {
  if (subject === 'mrr') return mrrDrawing(overview.rows);
  return subject === 'downloads' ? downloadsDrawing(overview) : peopleDrawing(overview.rows);
}

const isOnItsWay = (subject: Subject, { rows }: Overview): boolean =>
  rows.some((row) => [row.people, row.revenue, row.sales][SUBJECTS.indexOf(subject)] === undefined);

function Chart(props: { overview: Overview; subject: Subject; range: RangeState; height: number }) {
  const { overview, subject, range, height } = props;
  const { route } = useLocation();
  if (isOnItsWay(subject, overview)) {
    return <div class="skeleton plot-skeleton" aria-busy="true" />;
  }
  const drawing = drawingOf(subject, overview);
  if (drawing.series.length === 0 && overview.failed.length > 0) {
    return <Empty icon={icons.problem} title={figures.failed} />;
  }
  if (drawing.series.length === 0) {
    return <Empty icon={icons.trends} title={t.none} text={t.noneWhy[subject]} />;
  }
  const pageOf = { people: 'trends', mrr: 'subscribers', downloads: null }[subject];
  const open = (day: string, key: string | undefined) => {
    if (!pageOf) route(`/sales${range.carried}`);
    else if (key?.startsWith('app_')) {
      const point = subject === 'people' ? `point=${day}` : '';
      const query = [range.carried.slice(1), point].filter(Boolean).join('&');
      route(`/apps/${key}/${pageOf}${query && `?${query}`}`);
    }
  };
  return (
    <TimeChart
      {...drawing}
      title={t.titles[subject]}
      csvName={`apps-${subject}`}
      height={height}
      onDay={open}
      actionOf={() => (subject === 'downloads' ? t.openSales : t.openApp)}
      onRange={(from, to) => range.setRange({ kind: 'dates', from, to })}
      {...(subject === 'people' && { zone: range.timezone })}
    />
  );
}

export function AppsChart({ overview, range }: { overview: Overview; range: RangeState }) {
  const [subject, choose] = useChoice('chart', SUBJECTS);
  return (
    <Card
      title={t.titles[subject]}
      sub={t.subs[subject]}
      actions={
        <Segmented
          label={t.label}
          compact
          options={SUBJECTS.map((one) => [one, t[one]] as const)}
          value={subject}
          onChange={choose}
        />
      }
    >
      <Fill least={HEIGHT_PX}>
        {(height) => <Chart overview={overview} subject={subject} range={range} height={height} />}
      </Fill>
    </Card>
  );
}
