import { useSignal, useSignalEffect } from '@preact/signals';
import { useId, useMemo } from 'preact/hooks';
import { chart as t } from '../../texts/chart.ts';
import { Bars } from './bars.tsx';
import { crossedIndex, crosshair, dropCrosshair } from './crosshair.ts';
import { axisNameAt, placeNameAt } from './days.ts';
import { drawnSeries, type Frame, frameOf } from './frame.ts';
import { onChartKey, useEscape } from './keys.ts';
import { chipsOf, MarkButtons, MarkChips, MarkLines } from './mark-lane.tsx';
import { Ground, Hatch, Lines, Names, PartialPoints, XAxis, YAxis } from './plot.tsx';
import { type Pointing, usePointing } from './pointing.ts';
import { tableOf } from './rows.ts';
import { box, round } from './scale.ts';
import { ChartShell, type Place } from './shell.tsx';
import { faces } from './text.ts';
import { Crosshair, Tooltip } from './tooltip.tsx';
import type { TimeChartProps } from './types.ts';

const HEIGHT_PX = 348;
/** Keys that follow each other fast are read out once. */
const QUIET_MS = 400;

function SpokenDay({ chart, id }: { chart: TimeChartProps; id: string }) {
  const spoken = useSignal('');
  useSignalEffect(() => {
    const at = crosshair.value;
    const index = crossedIndex(chart);
    if (at?.by !== id || at.how !== 'keys' || index === undefined) return;
    const values = chart.series.map(({ name, values }) => {
      const value = values[index] ?? null;
      return t.of(name, value === null ? t.nothing : chart.format.show(value));
    });
    const day = placeNameAt(chart, index);
    const timer = setTimeout(() => {
      spoken.value = [day, ...values].join(', ');
    }, QUIET_MS);
    return () => clearTimeout(timer);
  });
  return (
    <div class="skip" aria-live="polite">
      {spoken}
    </div>
  );
}

type DraggedProps = { chart: TimeChartProps; frame: Frame; dragged: Pointing['dragged'] };

function Dragged({ chart, frame, dragged }: DraggedProps) {
  const range = dragged.value;
  if (!range) return null;
  const [from, to] = [Math.min(range.from, range.to), Math.max(range.from, range.to)];
  const half = chart.kind === 'bar' ? frame.step / 2 : 0;
  const left = (frame.xs[from] ?? 0) - half;
  const right = (frame.xs[to] ?? 0) + half;
  const name = (index: number) => axisNameAt(chart, index);
  return (
    <g class="dragged">
      <rect class="drag-ground" {...box(left, frame.top, right - left, frame.bottom - frame.top)} />
      <text class="drag-text" x={round((left + right) / 2)} y={frame.top + 16} text-anchor="middle">
        {t.chosen(name(from), name(to))}
      </text>
    </g>
  );
}

const isEmpty = ({ series }: TimeChartProps) =>
  series.every(({ values }) => values.every((value) => value === null));

function Drawing(props: Place & { chart: TimeChartProps; id: string }) {
  const { chart, id, width, svg, openTable } = props;
  const { format } = chart;
  const frame = useMemo(() => frameOf(chart, width), [chart, width, faces.value]);
  const chips = chipsOf(chart, frame);
  const pointing = usePointing(chart, frame, id);
  useEscape(id, pointing);
  const hatchId = `${id}-hatch`;
  return (
    <>
      <div
        // A screen reader hands arrow keys on.
        role="application"
        aria-roledescription={t.kind}
        aria-label={chart.title}
        aria-description={t.keys}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the crosshair is moved by keys.
        tabIndex={0}
        class={chart.onDay ? 'plot opens' : 'plot'}
        onKeyDown={(event) => onChartKey(event, { chart, id, pointing, openTable })}
        onBlur={() => dropCrosshair(id)}
        {...pointing.handlers}
      >
        <svg ref={svg} width={width} height={frame.height} aria-hidden="true">
          <defs>
            <Hatch id={hatchId} />
          </defs>
          <YAxis frame={frame} ticks={frame.axis.ticks} show={format.tick ?? format.show} />
          <XAxis chart={chart} frame={frame} />
          <Ground chart={chart} frame={frame} hatchId={hatchId} />
          <MarkLines chips={chips} frame={frame} />
          {chart.kind === 'bar' && <Bars chart={chart} frame={frame} id={id} />}
          {chart.kind !== 'bar' && <Lines chart={chart} frame={frame} />}
          <PartialPoints chart={chart} frame={frame} />
          <Names chart={chart} frame={frame} />
          <MarkChips chips={chips} />
          {isEmpty(chart) && (
            <text x={width / 2} y={(frame.top + frame.bottom) / 2} text-anchor="middle">
              {t.nothing}
            </text>
          )}
          <Crosshair chart={chart} frame={frame} />
          <Dragged chart={chart} frame={frame} dragged={pointing.dragged} />
        </svg>
      </div>
      <MarkButtons chips={chips} width={width} {...(chart.onMark && { onMark: chart.onMark })} />
      <Tooltip chart={chart} frame={frame} id={id} pointer={pointing.pointer} />
    </>
  );
}

export function TimeChart(chart: TimeChartProps) {
  const id = useId();
  return (
    <ChartShell
      title={chart.title}
      height={chart.height ?? HEIGHT_PX}
      table={tableOf(chart)}
      csvName={chart.csvName}
      names={chart.hasLegend ? drawnSeries(chart) : []}
    >
      {(place) => (
        <>
          <Drawing chart={chart} id={id} {...place} />
          <SpokenDay chart={chart} id={id} />
        </>
      )}
    </ChartShell>
  );
}
