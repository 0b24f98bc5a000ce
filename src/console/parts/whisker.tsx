import { Interval } from './bar.tsx';

/** What all whiskers of one picture share. */
export type Scale = { min: number; max: number };

/** The scale that holds every number, and zero. */
export function scaleOf(numbers: readonly (number | null)[]): Scale {
  const known = numbers.filter((number) => number !== null);
  const [min, max] = [Math.min(0, ...known), Math.max(0, ...known)];
  const room = (max - min || 1) * 0.05;
  return { min: min < 0 ? min - room : 0, max: max > 0 ? max + room : 0 };
}

/** An interval with its middle, on a scale shared with others; zero and a band around it drawn in. */
export function Whisker(props: {
  scale: Scale;
  low: number | null;
  value: number | null;
  high: number | null;
  /** Half the width of what is too small to matter. */
  margin?: number;
}) {
  const { scale, low, value, high, margin = 0 } = props;
  const place = (number: number) => {
    const share = (number - scale.min) / (scale.max - scale.min || 1);
    return Math.round(Math.min(Math.max(share, 0), 1) * 1_000);
  };
  return (
    <svg class="bar" viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true">
      <rect class="ground" x={place(-margin)} width={place(margin) - place(-margin)} height="20" />
      <path class="zero" vector-effect="non-scaling-stroke" d={`M${place(0)} 0V20`} />
      {low !== null && high !== null && <Interval low={place(low)} high={place(high)} />}
      {value !== null && (
        <path class="middle" vector-effect="non-scaling-stroke" d={`M${place(value)} 4V16`} />
      )}
    </svg>
  );
}
