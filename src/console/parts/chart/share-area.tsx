import { roundRate } from '../../format.ts';
import { chart as t } from '../../texts/chart.ts';
import { crossedIndex, crosshair, dropCrosshair } from './crosshair.ts';
import { axisName, placeName, startMs } from './days.ts';
import { slotOf, ticksOf } from './frame.ts';
import { spread } from './labels.ts';
import { bandPath, sharesOf, stacked } from './paths.ts';
import { nearest, pointPlaces } from './places.ts';
import { dayRows } from './rows.ts';
import { linear, round } from './scale.ts';
import { ChartShell, type Place } from './shell.tsx';
import { cut, textWidth } from './text.ts';
import type { ShareAreaProps } from './types.ts';

const HEIGHT_PX = 172;
const TOP_PX = 8;
const BELOW_PX = 22;
const LEFT_PX = 44;
const NAMES_PX = 48;
const WIDEST_NAME_PX = 96;
const TICKS = [0, 0.5, 1];
/** Two lines of text. */
const NAME_GAP_PX = 30;

function measured({ series, days, height = HEIGHT_PX }: ShareAreaProps, width: number) {
  const shares = sharesOf(series.map(({ values }) => values));
  const spans = stacked(shares, { isDiverging: false });
  const widest = Math.max(0, ...series.map(({ name }) => textWidth(name, 600)));
  const right = width - Math.max(NAMES_PX, Math.min(WIDEST_NAME_PX, Math.ceil(widest) + 10));
  const bottom = height - BELOW_PX;
  const { xs } = pointPlaces(days.length, { left: LEFT_PX, right, isLastPartial: false });
  return { shares, spans, right, bottom, xs, y: linear([0, 1], [bottom, TOP_PX]) };
}

/** At the crosshair, else of the last day. */
function Names({ chart, width }: { chart: ShareAreaProps; width: number }) {
  const { shares, spans, right, bottom, xs, y } = measured(chart, width);
  const last = xs.length - 1;
  const crossed = crossedIndex(chart);
  const middles = spans.map((part) => y(((part[last]?.[0] ?? 0) + (part[last]?.[1] ?? 0)) / 2));
  const heights = spread(middles, { gap: NAME_GAP_PX, min: TOP_PX + 10, max: bottom - 16 });
  const x = crossed === undefined ? undefined : xs[crossed];
  return (
    <g>
      {x !== undefined && (
        <line class="crossed" x1={round(x)} x2={round(x)} y1={TOP_PX} y2={bottom} />
      )}
      {chart.series.map(({ key, name }, index) => {
        const share = shares[index]?.[crossed ?? last] ?? null;
        const height = heights[index] ?? 0;
        return (
          <g key={key}>
            <text class="name" x={right + 6} y={round(height - 2)}>
              {cut(name, width - right - 6, (text) => textWidth(text, 600))}
              <title>{name}</title>
            </text>
            <text x={right + 6} y={round(height + 12)}>
              {share === null ? t.nothing : roundRate(share)}
            </text>
          </g>
        );
      })}
      {crossed !== undefined && (
        <text class="name" x={round(x ?? 0)} y={bottom + 18} text-anchor="middle">
          {axisName(chart.days[crossed] ?? '', 'day')}
        </text>
      )}
    </g>
  );
}

function Axes({ chart, width }: { chart: ShareAreaProps; width: number }) {
  const { bottom, xs, y } = measured(chart, width);
  const crossed = crossedIndex(chart);
  const ticks = ticksOf(chart, { xs, width, left: LEFT_PX });
  return (
    <>
      {TICKS.map((tick) => (
        <text key={tick} x={LEFT_PX - 6} y={round(y(tick) + 4)} text-anchor="end">
          {roundRate(tick)}
        </text>
      ))}
      {crossed === undefined &&
        ticks.map(({ index, x, name }) => (
          <text key={index} x={round(x)} y={bottom + 18} text-anchor="middle">
            {name}
          </text>
        ))}
    </>
  );
}

function Drawing({ chart, place }: { chart: ShareAreaProps; place: Place }) {
  const { series, days, height = HEIGHT_PX } = chart;
  const { width } = place;
  const { shares, spans, xs, y } = measured(chart, width);
  const last = days.length - 1;
  const words = series.map(({ name }, index) => {
    const share = shares[index]?.[last] ?? null;
    return t.of(name, share === null ? t.nothing : roundRate(share));
  });
  const indexAt = (event: PointerEvent) => {
    const box = event.currentTarget;
    const left = box instanceof Element ? box.getBoundingClientRect().left : 0;
    return nearest(xs, event.clientX - left);
  };
  return (
    <svg
      ref={place.svg}
      width={width}
      height={height}
      role="img"
      aria-label={[placeName(days[last] ?? '', 'day'), ...words].join(', ')}
      onPointerMove={(event) => {
        const day = days[indexAt(event) ?? -1];
        if (day) crosshair.value = { ms: startMs(day), by: chart.title, how: 'mouse' };
      }}
      onPointerLeave={() => dropCrosshair(chart.title)}
    >
      {series.map(({ key, slot }, index) => {
        const part = spans[index] ?? [];
        const isKnown = (day: number) => (shares[index]?.[day] ?? null) !== null;
        const low = part.map(([from], day) => (isKnown(day) ? from : null));
        const high = part.map(([, to], day) => (isKnown(day) ? to : null));
        return (
          <path
            key={key}
            class={`stack paint-${slot ?? slotOf(index)}`}
            d={bandPath(xs, low, high, y)}
          />
        );
      })}
      <Axes chart={chart} width={width} />
      <Names chart={chart} width={width} />
    </svg>
  );
}

export function ShareArea(chart: ShareAreaProps) {
  const shares = sharesOf(chart.series.map(({ values }) => values));
  return (
    <ChartShell
      title={chart.title}
      height={chart.height ?? HEIGHT_PX}
      csvName={chart.csvName}
      table={{
        ...dayRows(chart.days),
        columns: chart.series.map(({ name }, index) => ({
          label: name,
          values: shares[index] ?? [],
          show: roundRate,
        })),
      }}
    >
      {(place) => <Drawing chart={chart} place={place} />}
    </ChartShell>
  );
}
