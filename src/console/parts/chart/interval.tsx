import { linear, round, valueAxis } from './scale.ts';
import { textWidth } from './text.ts';
import type { DifferenceProps, Format, IntervalProps, Scale } from './types.ts';
import { useWidth } from './width.ts';

const HEIGHT_PX = 20;
const MIDDLE = HEIGHT_PX / 2;
/** Whole at either end of the scale. */
const SIDE_PX = 5;

const placeOn = ({ min, max }: Scale, width: number) => {
  const place = linear([min, max], [SIDE_PX, width - SIDE_PX]);
  return (value: number) => round(place(Math.max(min, Math.min(max, value))));
};

type Drawn = Omit<IntervalProps, 'width' | 'slot'> & { paint: string; margin?: number };

function Picture({ width, scale, value, low, high, paint, margin }: Drawn & { width: number }) {
  const x = placeOn(scale, width);
  return (
    <svg width={width} height={HEIGHT_PX} class={paint} aria-hidden="true">
      {margin !== undefined && (
        <rect
          class="margin"
          x={x(-margin)}
          width={Math.max(1, round(x(margin) - x(-margin)))}
          height={HEIGHT_PX}
        />
      )}
      <line class="hairline" x1="0" x2={width} y1={MIDDLE} y2={MIDDLE} />
      {margin !== undefined && <line class="zero" x1={x(0)} x2={x(0)} y1="0" y2={HEIGHT_PX} />}
      {low !== null && high !== null && (
        <line class="range" x1={x(low)} x2={x(high)} y1={MIDDLE} y2={MIDDLE} />
      )}
      {value !== null && <circle cx={x(value)} cy={MIDDLE} r="4.5" />}
    </svg>
  );
}

function Measured({ width: given, ...drawn }: Drawn & { width?: number | undefined }) {
  const { place, width } = useWidth<HTMLDivElement>();
  const known = given ?? width;
  return (
    <div
      ref={place}
      class="interval"
      style={{ height: `${HEIGHT_PX}px`, ...(given !== undefined && { width: `${given}px` }) }}
    >
      {known > 0 && <Picture {...drawn} width={known} />}
    </div>
  );
}

export const Interval = ({ slot = 1, ...interval }: IntervalProps) => (
  <Measured {...interval} paint={`paint-${slot}`} />
);

/** With zero and the band too small to matter. */
export const Difference = (difference: DifferenceProps) => (
  <Measured {...difference} paint="paint-ink" />
);

export function IntervalScale(props: { scale: Scale; format: Format }) {
  const { scale, format } = props;
  const { place, width } = useWidth<HTMLDivElement>();
  const show = format.tick ?? format.show;
  const { ticks } = valueAxis([scale.min, scale.max], { plotHeight: width * 1.2 });
  const x = placeOn(scale, width);
  const shown = ticks.filter((tick) => tick >= scale.min && tick <= scale.max);
  return (
    <div ref={place} class="interval" style={{ height: '16px' }} aria-hidden="true">
      {width > 0 && (
        <svg width={width} height="16" aria-hidden="true">
          {shown.map((tick) => {
            const half = textWidth(show(tick)) / 2;
            return (
              <text
                key={tick}
                x={Math.max(half, Math.min(width - half, x(tick)))}
                y="12"
                text-anchor="middle"
              >
                {show(tick)}
              </text>
            );
          })}
        </svg>
      )}
    </div>
  );
}
