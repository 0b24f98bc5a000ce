import { useId } from 'preact/hooks';
import { barPlaces } from './places.ts';
import { linear, sharp } from './scale.ts';
import { useWidth } from './width.ts';

const HEIGHT_PX = 64;
const BELOW_PX = 18;

export type LevelBarsProps = {
  title: string;
  kinds: readonly ('other' | 'warn' | 'bad')[];
  bars: readonly (readonly number[])[];
  ends: readonly [string, string];
};

export function LevelBars({ title, kinds, bars, ends }: LevelBarsProps) {
  const id = useId();
  const { place, width } = useWidth<HTMLDivElement>();
  const { xs, step } = barPlaces(bars.length, { left: 0, right: width });
  const bar = Math.max(1, step * 0.8);
  const most = Math.max(1, ...bars.map((counts) => counts.reduce((all, count) => all + count, 0)));
  const bottom = HEIGHT_PX - BELOW_PX;
  const height = linear([0, most], [0, bottom]);
  return (
    <div ref={place} class="level-bars">
      {width > 0 && (
        <svg width={width} height={HEIGHT_PX} role="img" aria-labelledby={id}>
          <title id={id}>{title}</title>
          {bars.map((counts, index) => {
            let below = 0;
            return counts.map((count, level) => {
              if (count === 0) return null;
              const from = bottom - height(below);
              below += count;
              return (
                <rect
                  key={`${index}-${kinds[level]}`}
                  class={`paint-${kinds[level]}`}
                  x={(xs[index] ?? 0) - bar / 2}
                  width={bar}
                  y={bottom - height(below)}
                  height={Math.max(1, from - (bottom - height(below)))}
                />
              );
            });
          })}
          <path class="base" d={`M0 ${sharp(bottom)}H${width}`} />
          <text x={0} y={HEIGHT_PX - 4}>
            {ends[0]}
          </text>
          <text x={width} y={HEIGHT_PX - 4} text-anchor="end">
            {ends[1]}
          </text>
        </svg>
      )}
    </div>
  );
}
