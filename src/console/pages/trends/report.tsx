import { dayRange } from '../../format.ts';
import type { ChartMark } from '../../parts/chart/index.ts';
import * as icons from '../../parts/icons.ts';
import { Empty, ErrorNotice, Loaded, Skeleton } from '../../parts/states.tsx';
import { useAddress } from '../../state/address.ts';
import { changedQuery } from '../../state/address-query.ts';
import type { EventSeries } from '../../state/app-figures.ts';
import type { Query } from '../../state/query.ts';
import { dimensionLabel } from '../../state/sent-values.ts';
import { counted } from '../../texts/counted.ts';
import { trends as t } from '../../texts/trends.ts';
import { NothingToDraw, TrendChart } from './chart.tsx';
import { activeLines, type Drawing, linesDrawing, ratioDrawing } from './drawing.ts';
import { Figures } from './figures.tsx';
import { linesOf, runningOf } from './lines.ts';
import { PeopleBehind, selectionOf } from './people.tsx';
import type { ActiveAnswer, Asked } from './queries.ts';
import type { TrendSettings } from './settings.ts';
import { type TableOf, TrendTable } from './table.tsx';

export type ReportProps = {
  appId: string;
  settings: TrendSettings;
  series: Query<Asked>;
  active: readonly Query<ActiveAnswer>[];
  lately: EventSeries['totals'] | undefined;
  firstDay: string | null;
};

const answersOf = ({ active }: ReportProps) => active.flatMap(({ value }) => value.data ?? []);

export function tableOf(props: ReportProps): TableOf | undefined {
  const { settings, series, firstDay } = props;
  const { subject, range, before, isCompared } = settings;
  const asked = series.value.data;
  if (!asked || asked.series.points.every(({ events }) => events === 0)) return undefined;
  const isJudged = asked.breakdown !== 'appVersion';
  const common = { isJudged, today: range.today, days: counted(range.days, 'day', 'days') };
  const [answer] = answersOf(props);
  const active =
    subject === 'ratio' && asked.names.length < 2 && answer ? activeLines(answer, firstDay) : null;
  if (active) {
    const heads = { dimension: t.table.active, figure: t.table.now };
    return { ...common, ...heads, lines: active, interval: 'day' };
  }
  const counting = subject === 'events' ? 'events' : 'people';
  const figure = counting === 'events' ? t.events : t.people;
  const isRunning = runningOf(asked) !== undefined;
  return {
    ...common,
    lines: linesOf(asked, counting, firstDay),
    interval: asked.interval,
    dimension: asked.breakdown ? dimensionLabel(asked.breakdown) : t.event,
    figure: isRunning ? `${figure}, ${t.soFar[asked.interval]}` : figure,
    isRunning,
    against: isCompared ? dayRange(before.from, before.to) : undefined,
    peopleHref: (key, place) => {
      const isWhole = asked.series.series.length === 0;
      if (!selectionOf(settings, isWhole ? undefined : key)) return undefined;
      const of = asked.breakdown || asked.names.length > 1 ? key : undefined;
      return changedQuery(location.search, {
        point: place,
        of,
        chart: subject === 'ratio' ? undefined : settings.subject,
      });
    },
  };
}

function drawingOf(props: ReportProps, asked: Asked): Drawing | null | undefined {
  const { settings, active, firstDay } = props;
  const { subject, only, isCompared } = settings;
  if (asked.series.points.every(({ events }) => events === 0)) return null;
  if (subject === 'ratio') {
    const isPending = active.some(({ value }) => value.data === undefined);
    return isPending ? undefined : ratioDrawing(answersOf(props), only);
  }
  return linesDrawing(asked, linesOf(asked, subject, firstDay), { only, isCompared });
}

const skeleton = <div class="skeleton trend-skeleton" aria-busy="true" />;

function Plot(
  props: ReportProps & { asked: Asked; marks: readonly ChartMark[]; onNote: () => void },
) {
  const { appId, settings, active, asked, marks, onNote } = props;
  const failed = active.find(({ value }) => value.error && value.data === undefined);
  if (settings.subject === 'ratio' && failed?.value.error) {
    return <ErrorNotice error={failed.value.error} refetch={failed.refetch} />;
  }
  const drawing = drawingOf(props, asked);
  if (drawing === undefined) return skeleton;
  if (drawing) return <TrendChart {...{ appId, settings, drawing, marks, onNote }} />;
  if (settings.subject === 'ratio' && asked.series.points.some(({ events }) => events > 0)) {
    return <Empty icon={icons.people} title={t.few} text={t.fewWhy} />;
  }
  return <NothingToDraw settings={settings} />;
}

export function TrendReport(
  props: ReportProps & {
    table: TableOf | undefined;
    marks: readonly ChartMark[];
    onNote: () => void;
  },
) {
  const { appId, settings, series, active, lately, firstDay, table } = props;
  const { change } = useAddress();
  const asked = series.value.data;
  const drawing = asked && drawingOf(props, asked);
  const { hint } = asked?.series ?? {};
  return (
    <>
      {hint && <p class="notice">{hint}</p>}
      <section class="card" aria-label={t.title}>
        <Figures
          settings={settings}
          asked={asked}
          hasFailed={series.value.error !== undefined && asked === undefined}
          active={active.map(({ value }) => value.data)}
          hasActiveFailed={active.some(({ value }) => value.error && value.data === undefined)}
          lately={lately}
          firstDay={firstDay}
        />
        <div class="card-body trend-body">
          <Loaded query={series} skeleton={skeleton}>
            {(data) => <Plot {...props} asked={data} />}
          </Loaded>
        </div>
      </section>
      {asked && drawing && (
        <PeopleBehind
          appId={appId}
          settings={settings}
          drawing={drawing}
          interval={settings.subject === 'ratio' ? 'day' : asked.interval}
        />
      )}
      {table && <TrendTable of={table} only={settings.only} onOnly={(only) => change({ only })} />}
      {!asked && !series.value.error && (
        <section class="card">
          <div class="card-body">
            <Skeleton shape="rows" count={3} />
          </div>
        </section>
      )}
    </>
  );
}
