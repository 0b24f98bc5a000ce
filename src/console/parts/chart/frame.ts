import { chart as t } from '../../texts/chart.ts';
import { axisNameAt, tickName, tickPlaces } from './days.ts';
import { thinned } from './labels.ts';
import { PENDING } from './marks-of.ts';
import { stacked } from './paths.ts';
import { barPlaces, pointPlaces } from './places.ts';
import { linear, type ValueAxis, valueAxis } from './scale.ts';
import { slotOf } from './slots.ts';
import { textWidth } from './text.ts';
import type { ChartSeries, Figure, Paint, TimeChartProps } from './types.ts';

const LANE_PX = 32;
const TOP_PX = 14;
const BELOW_PX = 24;
const LEFT_PX = 40;
const RIGHT_PX = 12;
export const NAME_PX = 20;
export const POINT_TEXT_PX = 12;
const LONGEST_NAME_PX = 120;
/** Narrower pictures give names less. */
const NARROW_PX = 480;
const NARROW_NAME_PX = 72;
const TICK_GAP_PX = 12;

export type Drawn = ChartSeries & {
  slot: Paint;
  /** Ends of its parts where it is stacked. */
  spans?: readonly (readonly [number, number])[];
};

export type Tick = {
  index: number;
  at: number;
  x: number;
  name: string;
  width: number;
};

/** Inside of the picture and apart from each other. */
export function ticksOf(
  chart: Pick<TimeChartProps, 'days' | 'unit' | 'kind' | 'places'>,
  { xs, width, left }: { xs: readonly number[]; width: number; left: number },
): Tick[] {
  const { days, unit = 'day', places } = chart;
  const all = (places ? [...days.keys()] : tickPlaces(days, unit)).map((index) => {
    const name = places ? axisNameAt(chart, index) : tickName(days, index, unit);
    const [at, half] = [xs[index] ?? 0, textWidth(name) / 2];
    const x = Math.max(left + half, Math.min(at, width - half));
    return { index, at, x, name, width: 2 * half };
  });
  return thinned(all, TICK_GAP_PX);
}

export type Frame = {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  xs: readonly number[];
  step: number;
  axis: ValueAxis;
  y: (value: number) => number;
  drawn: readonly Drawn[];
  finished: number;
  ticks: readonly Tick[];
  nameRoom: number;
  isNarrow: boolean;
};

export function drawnSeries({ series, kind }: TimeChartProps): Drawn[] {
  const isStacked = kind === 'bar' || kind === 'area';
  const spans = isStacked
    ? stacked(
        series.map(({ values }) => values),
        { isDiverging: kind === 'bar' },
      )
    : [];
  return series.map((one, index) => {
    const own = spans[index];
    return { ...one, slot: one.slot ?? slotOf(index), ...(own && { spans: own }) };
  });
}

function* figuresOf(props: TimeChartProps, drawn: readonly Drawn[]): Generator<Figure> {
  for (const { values, low = [], high = [], spans } of drawn) {
    if (spans) for (const span of spans) yield* span;
    else yield* values;
    yield* low;
    yield* high;
  }
  yield* props.previous?.values ?? [];
}

export const named = <T extends Pick<ChartSeries, 'isQuiet'>>(series: readonly T[]): T[] =>
  series.filter(({ isQuiet }) => !isQuiet);

export const hasNames = ({ series, previous, hasLegend }: TimeChartProps): boolean =>
  !hasLegend && (series.length > 1 || previous !== undefined);

export const partialTextOf = (props: TimeChartProps): string | null => {
  const [only, second] = props.series;
  const value = only?.values.at(-1) ?? null;
  if (!props.isLastPartial || props.kind === 'bar' || !only || second || value === null)
    return null;
  return (props.partialText ?? t.soFar)(props.format.show(value));
};

function rightRoom(props: TimeChartProps, nameRoom: number, isNarrow: boolean): number {
  const names = [...named(props.series).map(({ name }) => name), props.previous?.name ?? ''];
  const widest = Math.min(nameRoom, Math.max(0, ...names.map((name) => textWidth(name, 600))));
  const partial = partialTextOf(props);
  return Math.ceil(
    Math.max(
      RIGHT_PX,
      hasNames(props) ? NAME_PX + widest + 4 : 0,
      partial === null || isNarrow ? 0 : POINT_TEXT_PX + textWidth(partial),
    ),
  );
}

export function frameOf(props: TimeChartProps, width: number): Frame {
  const { days, format, height = 348, isLastPartial = false } = props;
  const drawn = drawnSeries(props);
  const { marks = [] } = props;
  const top = marks.length > 0 || marks === PENDING ? LANE_PX : TOP_PX;
  const bottom = height - BELOW_PX;
  const axis = valueAxis(figuresOf(props, drawn), {
    plotHeight: bottom - top,
    ...(format.isWhole && { isWhole: true }),
  });
  const showTick = format.tick ?? format.show;
  const widest = Math.max(...axis.ticks.map((tick) => textWidth(showTick(tick))));
  const left = Math.max(width < NARROW_PX ? LEFT_PX - 4 : LEFT_PX, Math.ceil(widest) + 8);
  const nameRoom = width < NARROW_PX ? NARROW_NAME_PX : LONGEST_NAME_PX;
  const right = Math.max(left + 1, width - rightRoom(props, nameRoom, width < NARROW_PX));
  const { xs, step } =
    props.kind === 'bar'
      ? barPlaces(days.length, { left, right })
      : pointPlaces(days.length, { left, right, isLastPartial });
  return {
    ...{ width, height, left, right, top, bottom, xs, step, axis, drawn, nameRoom },
    y: linear([axis.bottom, axis.top], [bottom, top]),
    finished: days.length - (isLastPartial ? 1 : 0),
    ticks: ticksOf(props, { xs, width, left: props.kind === 'bar' ? 0 : left }),
    isNarrow: width < NARROW_PX,
  };
}

export function heightAt({ y }: Frame, one: Drawn, index: number): number | null {
  const value = one.values[index] ?? null;
  if (value === null) return null;
  const span = one.spans?.[index];
  return y(span ? (span[0] + span[1]) / 2 : value);
}
