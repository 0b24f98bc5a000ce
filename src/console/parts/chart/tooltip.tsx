import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { signedRate } from '../../format.ts';
import { chart as t } from '../../texts/chart.ts';
import { crossedIndex, crosshair } from './crosshair.ts';
import { axisNameAt, placeName, placeNameAt, STEPS_BACK } from './days.ts';
import { type Drawn, type Frame, heightAt, named } from './frame.ts';
import { MarkIcon } from './mark-lane.tsx';
import { nearestKey } from './places.ts';
import { PILL_HALF_PX } from './plot.tsx';
import type { Pointing } from './pointing.ts';
import { marksOn } from './rows.ts';
import { box, round } from './scale.ts';
import { isolated } from '../../format.ts';
import { tooltipPlace } from './tooltip-place.ts';
import type { Figure, Format, TimeChartProps } from './types.ts';

/** Smaller changes have no colour. */
const SMALL = 0.02;

type Props = { chart: TimeChartProps; frame: Frame };

function Changed({ now, before, format }: { now: Figure; before: Figure; format: Format }) {
  if (now === null || before === null || before === 0) return null;
  const change = (now - before) / Math.abs(before);
  const isBetter = change > 0 === (format.goodWhen === 'up');
  const tone = !format.goodWhen || Math.abs(change) <= SMALL ? '' : isBetter ? 'good' : 'bad';
  return <span class={`tip-change ${tone}`}>{signedRate(change)}</span>;
}

function SeriesRow(props: { one: Drawn; index: number; chart: TimeChartProps; before: Figure }) {
  const { one, index, chart, before } = props;
  const { format } = chart;
  const value = one.values[index] ?? null;
  const [low, high] = [one.low?.[index] ?? null, one.high?.[index] ?? null];
  const isPartial = chart.isLastPartial && index === chart.days.length - 1;
  const shown = value === null ? t.nothing : format.show(value);
  return (
    <div class="tip-row">
      <span class={`tip-swatch paint-${one.slot} ${chart.series.length > 1 ? '' : 'as-line'}`} />
      <span class="tip-name">{isolated(one.name)}</span>
      <b>{isPartial && value !== null ? t.soFar(shown) : shown}</b>
      {low !== null && high !== null && (
        <span class="quiet">{`${format.show(low)} – ${format.show(high)}`}</span>
      )}
      {!isPartial && <Changed now={value} before={before} format={format} />}
    </div>
  );
}

function ComparedRow({ chart, index }: { chart: TimeChartProps; index: number }) {
  const { previous, series, format, unit = 'day' } = chart;
  const value = previous?.values[index] ?? null;
  const day = previous?.days[index];
  if (!previous || value === null || day === undefined) return null;
  return (
    <div class="tip-row">
      <span class="tip-swatch as-line dashed" />
      <span class="tip-name">{placeName(day, unit)}</span>
      <Changed now={series[0]?.values[index] ?? null} before={value} format={format} />
      <b>{format.show(value)}</b>
    </div>
  );
}

function told(frame: Frame, index: number, pointer: Pointing['pointer']['value']): Drawn[] {
  const quiet = frame.drawn.filter(({ isQuiet }) => isQuiet);
  const points = quiet.map((one) => ({ key: one.key, y: heightAt(frame, one, index) }));
  const nearest = pointer ? nearestKey(points, pointer.y) : undefined;
  return [...named(frame.drawn), ...quiet.filter(({ key }) => key === nearest)];
}

function Contents(props: Props & { index: number; pointer: Pointing['pointer'] }) {
  const { chart, frame, index } = props;
  const { days, unit = 'day', previous, places, marks = [], zone } = chart;
  const back = previous || places ? undefined : days[index - STEPS_BACK[unit]];
  const own = marksOn(marks, days, index);
  const rows = chart.rowsOf?.(index) ?? [];
  const action = chart.actionOf?.(index) ?? null;
  const hasChange = back !== undefined && !(chart.isLastPartial && index === days.length - 1);
  return (
    <>
      <div class="tip-head">
        <b>{placeNameAt(chart, index)}</b>
        <span>{hasChange && back ? t.against(placeName(back, unit)) : zone}</span>
      </div>
      {told(frame, index, props.pointer.value).map((one) => (
        <SeriesRow
          key={one.key}
          one={one}
          index={index}
          chart={chart}
          before={back === undefined ? null : (one.values[index - STEPS_BACK[unit]] ?? null)}
        />
      ))}
      <ComparedRow chart={chart} index={index} />
      {rows.map(({ label, value, tone }) => (
        <div class="tip-row" key={label}>
          <span class="tip-name quiet">{label}</span>
          <b class={tone ?? ''}>{value}</b>
        </div>
      ))}
      {(own.length > 0 || action !== null) && <hr />}
      {own.map((mark) => (
        <div class="tip-row" key={mark.key}>
          <span class={`tip-icon ${mark.tone ?? ''}`}>
            <MarkIcon kind={mark.kind} />
          </span>
          <span>{mark.text ?? mark.label}</span>
        </div>
      ))}
      {action !== null && <div class="tip-action">{action}</div>}
    </>
  );
}

export function Tooltip(props: Props & { id: string; pointer: Pointing['pointer'] }) {
  const { chart, frame, id } = props;
  const index = crossedIndex(chart);
  const isMine = crosshair.value?.by === id;
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { offsetWidth: width = 0, offsetHeight: height = 0 } = box.current ?? {};
    if (width !== size.width || height !== size.height) setSize({ width, height });
  });
  const x = index === undefined ? undefined : frame.xs[index];
  if (!isMine || index === undefined || x === undefined) return null;
  const points = frame.drawn.flatMap((one) =>
    frame.xs.flatMap((at, day) => {
      const y = heightAt(frame, one, day);
      return y === null ? [] : [{ x: at, y }];
    }),
  );
  const { left, top } = tooltipPlace({
    size,
    room: frame,
    lineX: x,
    pointer: props.pointer.value ?? undefined,
    top: frame.top,
    bottom: frame.bottom,
    points,
  });
  return (
    <div
      ref={box}
      class="chart-tip"
      aria-hidden="true"
      style={{ left: `${round(left)}px`, top: `${round(top)}px` }}
    >
      <Contents chart={chart} frame={frame} index={index} pointer={props.pointer} />
    </div>
  );
}

export function Crosshair({ chart, frame }: Props) {
  const index = crossedIndex(chart);
  const x = index === undefined ? undefined : frame.xs[index];
  if (index === undefined || x === undefined) return null;
  const { previous } = chart;
  const { bottom, width, y } = frame;
  const name = axisNameAt(chart, index);
  const pillX = Math.max(PILL_HALF_PX, Math.min(x, width - PILL_HALF_PX));
  const compared = previous?.values[index] ?? null;
  const showsDots = chart.kind !== 'bar';
  return (
    <g class="crosshair">
      <line x1={round(x)} x2={round(x)} y1={frame.top - 8} y2={bottom} />
      {showsDots &&
        index < frame.finished &&
        named(frame.drawn).map((one) => {
          const value = one.values[index] ?? null;
          if (value === null) return null;
          const height = y(one.spans?.[index]?.[1] ?? value);
          return (
            <circle
              key={one.key}
              class={`paint-${one.slot}`}
              cx={round(x)}
              cy={round(height)}
              r="4"
            />
          );
        })}
      {compared !== null && (
        <circle class="paint-other" cx={round(x)} cy={round(y(compared))} r="4" />
      )}
      <rect class="pill" {...box(pillX - PILL_HALF_PX, bottom + 3, 2 * PILL_HALF_PX, 19)} rx="5" />
      <text class="pill-text" x={round(pillX)} y={bottom + 17} text-anchor="middle">
        {name}
      </text>
    </g>
  );
}
