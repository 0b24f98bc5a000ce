import type { Answer, SeriesAnswer } from '../../../../clients/api/src/index.ts';
import { dayRange } from '../../format.ts';
import type { ChartMark } from '../../parts/chart/index.ts';
import * as icons from '../../parts/icons.ts';
import { Empty, EmptyCard, ErrorNotice, Skeleton } from '../../parts/states.tsx';
import { changedQuery } from '../../state/address-query.ts';
import type { EventSeries } from '../../state/app-figures.ts';
import { bysOf, fieldOf } from '../../state/ask.ts';
import { measureWords } from '../../state/ask-words.ts';
import { fieldLabel } from '../../state/condition-words.ts';
import type { Query } from '../../state/query.ts';
import { counted } from '../../texts/counted.ts';
import { questions } from '../../texts/questions.ts';
import { trends as t } from '../../texts/trends.ts';
import { Trouble } from '../questions/answers.tsx';
import { NothingToDraw, TrendChart } from './chart.tsx';
import { activeLines, type Drawing, formatOf, linesDrawing, ratioDrawing } from './drawing.ts';
import { Figures } from './figures.tsx';
import { linesOf, runningOf } from './lines.ts';
import { People } from './people.tsx';
import type { Asked } from './queries.ts';
import type { TrendSettings } from './settings.ts';
import { type TableOf, TrendTable } from './table.tsx';

export type ReportProps = {
  appId: string;
  settings: TrendSettings;
  queries: readonly Query<Answer>[];
  asked: Asked | undefined;
  active: readonly Query<EventSeries>[];
  lately: SeriesAnswer['totals'] | undefined;
  firstDay: string | null;
};

const answersOf = ({ active }: ReportProps) => active.flatMap(({ value }) => value.data ?? []);

const isEmpty = ({ first, others }: Asked): boolean =>
  [first, ...others].every(
    ({ totals: { people }, points }) =>
      people === 0 && points.every((point) => !('events' in point) || point.events === 0),
  );

export function tableOf(props: ReportProps): TableOf | undefined {
  const { settings, asked, firstDay } = props;
  const { isRatio, range, before, isCompared } = settings;
  if (!asked || isEmpty(asked)) return undefined;
  const { ask, first } = asked;
  const format = formatOf(ask);
  const days = counted(range.days, 'day', 'days');
  const common = { format, isJudged: format.goodWhen !== undefined, today: range.today, days };
  const [answer] = answersOf(props);
  const active = isRatio && ask.series.length < 2 && answer ? activeLines(answer, firstDay) : null;
  if (active) {
    const heads = { dimension: t.table.active, figure: t.table.now };
    return { ...common, ...heads, lines: active, interval: 'day' };
  }
  const figure = measureWords(ask.measure);
  const isRunning = runningOf(asked) !== undefined;
  const lines = linesOf(asked, firstDay);
  return {
    ...common,
    ...{ lines, interval: first.interval, isRunning },
    isOfPeople: ask.measure.of === 'people',
    dimension: bysOf(ask.breakdown).map(fieldOf).map(fieldLabel).join(' · ') || t.event,
    figure: isRunning ? `${figure}, ${t.soFar[first.interval]}` : figure,
    against: isCompared ? dayRange(before.from, before.to) : undefined,
    peopleHref: (key, place) => {
      const of = lines.lines.length > 1 ? key : undefined;
      return changedQuery(location.search, { point: place, of });
    },
  };
}

function drawingOf(props: ReportProps, asked: Asked): Drawing | null | undefined {
  const { settings, active, firstDay } = props;
  const { isRatio, only, isCompared } = settings;
  if (isEmpty(asked)) return null;
  if (isRatio) {
    const isPending = active.some(({ value }) => value.data === undefined);
    return isPending ? undefined : ratioDrawing(answersOf(props), settings.ask, only);
  }
  const drawing = linesDrawing(asked, linesOf(asked, firstDay), { only, isCompared });
  const isDrawn = drawing.series.some(({ values }) => values.some((value) => value !== null));
  return asked.first.kind === 'series' || isDrawn ? drawing : null;
}

const skeleton = <div class="skeleton trend-skeleton" aria-busy="true" />;

function Plot(
  props: ReportProps & { asked: Asked; marks: readonly ChartMark[]; onNote: () => void },
) {
  const { appId, settings, active, asked, marks, onNote } = props;
  const { isRatio } = settings;
  const failed = active.find(({ value }) => value.error && value.data === undefined);
  if (isRatio && failed?.value.error) {
    return <ErrorNotice error={failed.value.error} refetch={failed.refetch} />;
  }
  const drawing = drawingOf(props, asked);
  if (drawing === undefined) return skeleton;
  if (drawing) return <TrendChart {...{ appId, settings, drawing, marks, onNote }} />;
  if (isEmpty(asked)) return <NothingToDraw settings={settings} />;
  return (
    <Empty
      icon={icons.people}
      title={isRatio ? t.few : questions.few}
      text={isRatio ? t.fewWhy : questions.fewText}
    />
  );
}

export function TrendReport(
  props: ReportProps & {
    table: TableOf | undefined;
    marks: readonly ChartMark[];
    onNote: () => void;
  },
) {
  const { settings, queries, active, lately, firstDay, table, asked } = props;
  const { ask, change } = settings;
  const hasFailed = asked === undefined && queries.some(({ value }) => value.error);
  const hint = asked && active[0]?.value.data?.hint;
  if (ask.measure.of === 'property' && ask.measure.property === '') {
    return (
      <EmptyCard icon={icons.trends} title={questions.noProperty} text={questions.noPropertyText} />
    );
  }
  return (
    <>
      <Trouble queries={queries} />
      {hint && <p class="notice">{hint}</p>}
      <section class="card" aria-label={t.title}>
        <Figures
          {...{ settings, asked, hasFailed, lately, firstDay }}
          active={active.map(({ value }) => value.data)}
          hasActiveFailed={active.some(({ value }) => value.error && value.data === undefined)}
        />
        <div class="card-body trend-body">
          {asked ? <Plot {...props} asked={asked} /> : !hasFailed && skeleton}
        </div>
      </section>
      {asked && <People {...{ settings, asked, firstDay }} />}
      {table && <TrendTable of={table} only={settings.only} onOnly={(only) => change({ only })} />}
      {!asked && !hasFailed && (
        <section class="card">
          <div class="card-body">
            <Skeleton shape="rows" count={3} />
          </div>
        </section>
      )}
    </>
  );
}
