import { useId } from 'preact/hooks';
import { chart as t } from '../../texts/chart.ts';
import { axisName, placeName, tickPlaces } from './days.ts';
import { thinned } from './labels.ts';
import { stacked } from './paths.ts';
import { barPlaces } from './places.ts';
import { Hatch } from './plot.tsx';
import { dayRows } from './rows.ts';
import { linear, round, sharp, valueAxis } from './scale.ts';
import { ChartShell, type Place } from './shell.tsx';
import { textWidth } from './text.ts';
import type { StackedDaysProps } from './types.ts';
import { barWidth } from './bars.tsx';

const HEIGHT_PX = 196;
const TOP_PX = 8;
const BELOW_PX = 24;
const SEAM_PX = 1;
const TICK_GAP_PX = 12;

const LOOKS = { solid: 'bar-full', hatch: 'bar-open', pale: 'bar-pale' } as const;

/** Hairlines with their numbers, and where the plot begins beside them. */
function axisOf({ parts, format, height = HEIGHT_PX }: StackedDaysProps) {
  const spans = stacked(
    parts.map(({ values }) => values),
    { isDiverging: false },
  );
  const bottom = height - BELOW_PX;
  const axis = valueAxis(spans.flat(2), { plotHeight: bottom - TOP_PX, isWhole: true });
  const show = format.tick ?? format.show;
  const widest = Math.max(...axis.ticks.map((tick) => textWidth(show(tick))));
  const y = linear([axis.bottom, axis.top], [bottom, TOP_PX]);
  return { spans, bottom, axis, show, left: Math.ceil(widest) + 14, y };
}

function Axes({ chart, width }: { chart: StackedDaysProps; width: number }) {
  const { axis, show, left, y, bottom } = axisOf(chart);
  const { xs, step } = barPlaces(chart.days.length, { left, right: width });
  const names = tickPlaces(chart.days, 'day').map((index) => {
    const name = axisName(chart.days[index] ?? '', 'day');
    const nameWidth = textWidth(name);
    // The name begins with its bar.
    return { name, start: (xs[index] ?? 0) - step / 2 + 2, width: nameWidth, index };
  });
  const kept = thinned(
    names.map((name) => ({ ...name, x: name.start + name.width / 2 })),
    TICK_GAP_PX,
  );
  return (
    <>
      {axis.ticks.map((tick) => (
        <g key={tick}>
          <line
            class={tick === 0 ? 'base' : 'hairline'}
            x1={left}
            x2={width}
            y1={sharp(y(tick))}
            y2={sharp(y(tick))}
          />
          <text x={left - 6} y={round(y(tick) + 4)} text-anchor="end">
            {show(tick)}
          </text>
        </g>
      ))}
      {kept.map(({ name, start, width: nameWidth, index }) => (
        <text key={index} x={round(Math.min(start, width - nameWidth))} y={bottom + 18}>
          {name}
        </text>
      ))}
    </>
  );
}

function Drawing({ chart, place }: { chart: StackedDaysProps; place: Place }) {
  const id = useId();
  const { days, parts, format, height = HEIGHT_PX, onDay } = chart;
  const { spans, left, y, bottom } = axisOf(chart);
  const { xs, step } = barPlaces(days.length, { left, right: place.width });
  const bar = barWidth(step);
  const wordsOf = (index: number) =>
    [
      placeName(days[index] ?? '', 'day'),
      ...parts.map(({ name, values }) => t.of(name, format.show(values[index] ?? 0))),
    ].join(', ');
  return (
    <>
      <svg ref={place.svg} width={place.width} height={height} aria-hidden="true">
        <Axes chart={chart} width={place.width} />
        {parts.map(({ key, slot, fill = 'solid' }, part) => (
          <g key={key} class={`paint-${slot}`}>
            {fill === 'hatch' && (
              <defs>
                <Hatch id={`${id}-${key}`} paint={`series-hatch paint-${slot}`} size={5} />
              </defs>
            )}
            {(spans[part] ?? []).map(([from, to], index) =>
              from === to ? null : (
                <rect
                  key={days[index]}
                  class={LOOKS[fill]}
                  x={round((xs[index] ?? 0) - bar / 2)}
                  y={round(y(to))}
                  width={round(bar)}
                  height={round(Math.max(1, y(from) - y(to) - SEAM_PX))}
                  rx="1.5"
                  {...(fill === 'hatch' && { fill: `url(#${id}-${key})` })}
                />
              ),
            )}
          </g>
        ))}
      </svg>
      {days.map((day, index) => {
        const box = {
          left: `${round((xs[index] ?? 0) - step / 2)}px`,
          top: `${TOP_PX}px`,
          width: `${round(step)}px`,
          height: `${bottom - TOP_PX}px`,
        };
        return onDay ? (
          <button
            key={day}
            type="button"
            class="over"
            title={wordsOf(index)}
            aria-label={wordsOf(index)}
            style={box}
            onClick={() => onDay(day)}
          />
        ) : (
          <span key={day} class="over still" title={wordsOf(index)} style={box} />
        );
      })}
    </>
  );
}

/** What the days are made of; names stand in the legend of the card. */
export function StackedDays(chart: StackedDaysProps) {
  const { days, parts, format } = chart;
  return (
    <ChartShell
      title={chart.title}
      height={chart.height ?? HEIGHT_PX}
      csvName={chart.csvName}
      names={parts.map(({ name }) => name)}
      table={{
        ...dayRows(days),
        columns: parts.map(({ name, values }) => ({ label: name, values, show: format.show })),
      }}
    >
      {(place) => <Drawing chart={chart} place={place} />}
    </ChartShell>
  );
}
