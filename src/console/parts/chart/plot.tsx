import { crossedIndex } from './crosshair.ts';
import {
  type Frame,
  hasNames,
  heightAt,
  NAME_PX,
  named,
  POINT_TEXT_PX,
  partialTextOf,
} from './frame.ts';
import { spread } from './labels.ts';
import { alone, areaPath, bandPath, linePath } from './paths.ts';
import { runsOf } from './places.ts';
import { box, round, sharp } from './scale.ts';
import { cut, textWidth } from './text.ts';
import type { TimeChartProps } from './types.ts';

type Props = { chart: TimeChartProps; frame: Frame };

const NAME_GAP_PX = 16;
const NOTE_GAP_PX = 30;
export const PILL_HALF_PX = 26;

export function Hatch({ id, paint, size = 6 }: { id: string; paint?: string; size?: number }) {
  return (
    <pattern
      id={id}
      class={paint ?? 'ghost-hatch'}
      width={size}
      height={size}
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <line x1="0" y1="0" x2="0" y2={size} />
    </pattern>
  );
}

export function YAxis(props: {
  frame: Pick<Frame, 'left' | 'right' | 'y'>;
  ticks: readonly number[];
  show: (value: number) => string;
}) {
  const { left, right, y } = props.frame;
  return (
    <g>
      {props.ticks.map((tick) => (
        <g key={tick}>
          <line
            class={tick === 0 ? 'base' : 'hairline'}
            x1={left}
            x2={right}
            y1={sharp(y(tick))}
            y2={sharp(y(tick))}
          />
          <text x={left - 8} y={round(y(tick) + 4)} text-anchor="end">
            {props.show(tick)}
          </text>
        </g>
      ))}
    </g>
  );
}

export function XAxis({ chart, frame }: Props) {
  const { ticks, bottom, xs } = frame;
  const crossed = crossedIndex(chart);
  const pillX = crossed === undefined ? undefined : xs[crossed];
  return (
    <g>
      {ticks.map(({ index, at, x, name, width }) => {
        const isHidden = pillX !== undefined && Math.abs(x - pillX) < width / 2 + PILL_HALF_PX + 4;
        return (
          <g key={index}>
            <line class="base" x1={round(at)} x2={round(at)} y1={bottom} y2={bottom + 4} />
            {!isHidden && (
              <text x={round(x)} y={bottom + 18} text-anchor="middle">
                {name}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

export function Ground({ chart, frame, hatchId }: Props & { hatchId: string }) {
  const { xs, step, top, bottom, left, right, finished } = frame;
  const isMissing = (index: number) =>
    index < finished && chart.series.every(({ values }) => (values[index] ?? null) === null);
  const runs = chart.series.length === 0 ? [] : runsOf(xs.length, isMissing);
  if (chart.isLastPartial && chart.kind !== 'bar') runs.push([finished, finished]);
  const over = (from: number, to: number) => {
    const start = Math.max(left, (xs[from] ?? 0) - step / 2);
    return box(start, top, Math.min(right, (xs[to] ?? 0) + step / 2) - start, bottom - top);
  };
  return (
    <g>
      {(chart.shades ?? []).map(({ from, to, tone }) => {
        const start = xs[chart.days.indexOf(from)] ?? left;
        const end = xs[chart.days.indexOf(to)] ?? right;
        return (
          <rect
            key={from}
            class={`shade paint-${tone}`}
            {...box(start, top, Math.max(0, end - start), bottom - top)}
          />
        );
      })}
      {runs.map(([from, to]) => (
        <rect key={from} {...over(from, to)} fill={`url(#${hatchId})`} />
      ))}
    </g>
  );
}

export function Lines({ chart, frame }: Props) {
  const { xs, y, drawn, finished } = frame;
  const isKnown = (index: number) => drawn.some(({ values }) => (values[index] ?? null) !== null);
  const over = xs.slice(0, finished);
  const isSingle = drawn.length === 1;
  return (
    <g>
      {drawn.map(({ key, slot, values, low, high, spans, isQuiet }) => {
        const known = values.slice(0, finished);
        if (spans) {
          const d = bandPath(
            over,
            spans.map(([from], index) => (isKnown(index) ? from : null)),
            spans.map(([, to]) => to),
            y,
          );
          return <path key={key} class={`stack paint-${slot}`} d={d} />;
        }
        return (
          <g key={key} class={`paint-${slot}`}>
            {low && high && <path class="band" d={bandPath(over, low, high, y)} />}
            {isSingle && !low && <path class="under" d={areaPath(over, known, y)} />}
            <path class={isQuiet ? 'line thin' : 'line'} d={linePath(over, known, y)} />
            {alone(known).map((index) => (
              <circle
                key={index}
                class="point"
                cx={round(xs[index] ?? 0)}
                cy={round(y(known[index] ?? 0))}
                r="2.5"
              />
            ))}
          </g>
        );
      })}
      {chart.previous && (
        <path class="previous" d={linePath(xs, chart.previous.values.slice(0, xs.length), y)} />
      )}
    </g>
  );
}

function partialTextAt(frame: Frame, text: string, height: number) {
  const { isNarrow, xs, right, bottom, drawn, finished } = frame;
  if (!isNarrow) return { x: round((xs[finished] ?? 0) + POINT_TEXT_PX), y: height + 4 };
  const left = right - textWidth(text) - 8;
  const heights = drawn.flatMap((one) =>
    xs.flatMap((x, index) => (x < left ? [] : [heightAt(frame, one, index) ?? height])),
  );
  const below = Math.max(height, ...heights) + 18;
  const y = below < bottom - 4 ? below : Math.min(height, ...heights) - 10;
  return { x: right, y: round(y), 'text-anchor': 'end' as const };
}

export function PartialPoints({ chart, frame }: Props) {
  const { xs, y, drawn, finished } = frame;
  const x = xs[finished];
  if (!chart.isLastPartial || x === undefined || chart.kind === 'bar') return null;
  const text = partialTextOf(chart);
  return (
    <g>
      {drawn.map(({ key, slot, values, spans }) => {
        const value = values[finished] ?? null;
        if (value === null) return null;
        const height = round(y(spans?.[finished]?.[1] ?? value));
        return (
          <g key={key}>
            <circle class={`hollow paint-${slot}`} cx={round(x)} cy={height} r="3.5" />
            {text !== null && <text {...partialTextAt(frame, text, height)}>{text}</text>}
          </g>
        );
      })}
    </g>
  );
}

export function Names({ chart, frame }: Props) {
  const { drawn, finished, right, top, bottom, nameRoom, y } = frame;
  if (!hasNames(chart)) return null;
  const lastOf = (values: readonly (number | null)[]) =>
    values.slice(0, Math.max(1, finished)).findLastIndex((value) => value !== null);
  const ends = named(drawn).flatMap((one) => {
    const height = heightAt(frame, one, lastOf(one.values));
    return height === null ? [] : [{ name: one.name, note: one.note, slot: one.slot, height }];
  });
  if (chart.previous) {
    const value = chart.previous.values[lastOf(chart.previous.values)] ?? null;
    const { name } = chart.previous;
    if (value !== null) ends.push({ name, note: undefined, slot: 'other', height: y(value) });
  }
  const heights = spread(
    ends.map(({ height }) => height),
    { gap: ends.some(({ note }) => note) ? NOTE_GAP_PX : NAME_GAP_PX, min: top, max: bottom },
  );
  return (
    <g class="names">
      {ends.map(({ name, note, slot }, index) => {
        const height = round(heights[index] ?? 0);
        return (
          <g key={`${name} ${slot}`}>
            <rect class={`swatch paint-${slot}`} {...box(right + 8, height - 4, 8, 8)} rx="2.5" />
            <text class="name" x={right + NAME_PX} y={height + 4}>
              {cut(name, nameRoom, (text) => textWidth(text, 600))}
              <title>{name}</title>
            </text>
            {note && (
              <text x={right + NAME_PX} y={height + 18}>
                {note}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}
