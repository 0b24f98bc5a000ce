import type { Frame } from './frame.ts';
import { Hatch } from './plot.tsx';
import { box } from './scale.ts';
import type { TimeChartProps } from './types.ts';

const BETWEEN_PX = 4;
const LEAST_PX = 1;
/** Between parts that stand on each other. */
const SEAM_PX = 1;

const LOOKS = { solid: 'bar-full', hatch: 'bar-open', pale: 'bar-pale' } as const;

const barWidth = (step: number): number =>
  Math.max(LEAST_PX, step - Math.min(BETWEEN_PX, step * 0.25));

/** Hatched where a day is not whole. */
export function Bars(props: { chart: TimeChartProps; frame: Frame; id: string }) {
  const { chart, frame, id } = props;
  const { xs, step, y, drawn, finished } = frame;
  const late = new Set(chart.late);
  const width = barWidth(step);
  const isStacked = drawn.length > 1;
  const isOpen = (index: number) => index >= finished || late.has(chart.days[index] ?? '');
  return (
    <g>
      {drawn.map(({ key, slot, values, spans = [], fill = 'solid' }) => (
        <g key={key} class={`paint-${slot}`}>
          <defs>
            <Hatch id={`${id}-${key}`} paint={`series-hatch paint-${slot}`} size={5} />
          </defs>
          {spans.map(([from, to], index) => {
            if ((values[index] ?? null) === null || from === to) return null;
            const [upper, lower] = [y(Math.max(from, to)), y(Math.min(from, to))];
            const isHatched = fill === 'hatch' || isOpen(index);
            const height = Math.max(LEAST_PX, lower - upper - (isStacked ? SEAM_PX : 0));
            return (
              <rect
                key={chart.days[index]}
                class={LOOKS[isHatched ? 'hatch' : fill]}
                {...box((xs[index] ?? 0) - width / 2, upper, width, height)}
                rx={Math.min(1.5, width / 4)}
                {...(isHatched && { fill: `url(#${id}-${key})` })}
              />
            );
          })}
        </g>
      ))}
    </g>
  );
}
