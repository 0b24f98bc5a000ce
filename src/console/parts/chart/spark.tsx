import { areaPath, bandPath, linePath } from './paths.ts';
import { barPlaces, pointPlaces } from './places.ts';
import { box, linear, round } from './scale.ts';
import type { Figure, SparkProps } from './types.ts';
import { useWidth } from './width.ts';

const KPI_PX = 44;
const TOP_PX = 6;
const POINT_PX = 2.5;
/** That of a KPI reaches the edges. */
const SIDES = { kpi: { left: 0, right: 8 }, row: { left: 2, right: 5 } };
const BARS_SIDE_PX = 8;
const BARS_BASE_PX = 2.7;
const MISSING_PX = 3;

type Drawn = Pick<SparkProps, 'values' | 'low' | 'high' | 'hasArea'> & {
  width: number;
  height: number;
};

function SparkLine({ values, low, high, hasArea, width, height }: Drawn) {
  const side = height >= KPI_PX ? SIDES.kpi : SIDES.row;
  const { xs } = pointPlaces(values.length, {
    left: side.left,
    right: width - side.right,
    isLastPartial: false,
  });
  const most = Math.max(...[...values, ...(high ?? [])].map((value) => value ?? 0));
  const least = Math.min(0, ...values.map((value) => value ?? 0));
  const y = linear([least, most || 1], [height, TOP_PX]);
  const last = values.findLastIndex((value) => value !== null);
  return (
    <>
      {low && high && <path class="band" d={bandPath(xs, low, high, y)} />}
      {hasArea && !low && <path class="under" d={areaPath(xs, values, y)} />}
      <path class="spark-line" d={linePath(xs, values, y)} />
      {last >= 0 && (
        <circle
          class="point"
          cx={round(xs[last] ?? 0)}
          cy={round(y(values[last] ?? 0))}
          r={POINT_PX}
        />
      )}
    </>
  );
}

function SparkBars({ values, width, height }: Drawn) {
  const { xs, step } = barPlaces(values.length, {
    left: BARS_SIDE_PX,
    right: width - BARS_SIDE_PX,
  });
  const bar = step * 0.8;
  const known = values.map((value) => value ?? 0);
  const [least, most] = [Math.min(0, ...known), Math.max(0, ...known)];
  const base = height - (least < 0 ? BARS_BASE_PX : 0);
  const y = linear([0, most || 1], [base, TOP_PX]);
  const last = values.findLastIndex((value) => value !== null);
  const partOf = (value: Figure, index: number) => {
    const x = (xs[index] ?? 0) - bar / 2;
    if (value === null) {
      const missing = box(x, base - MISSING_PX, bar, MISSING_PX);
      return <rect key={index} class="spark-missing" {...missing} />;
    }
    const end = Math.min(height, y(value));
    const isNegative = value < 0;
    return (
      <rect
        key={index}
        class={`spark-bar ${index === last ? 'last' : ''} ${isNegative ? 'paint-2' : ''}`}
        {...box(x, isNegative ? base : end, bar, Math.max(0.5, Math.abs(end - base)))}
        rx="1"
      />
    );
  };
  return <>{values.map(partOf)}</>;
}

function Drawing({ spark, width, height }: { spark: SparkProps; width: number; height: number }) {
  const { kind, values, low, high, hasArea = height >= KPI_PX } = spark;
  const Kind = kind === 'bars' ? SparkBars : SparkLine;
  const band = kind === 'band' && low && high ? { low, high } : {};
  return (
    <svg width={width} height={height} class={`paint-${spark.slot ?? 1}`} aria-hidden="true">
      <Kind values={values} hasArea={hasArea} width={width} height={height} {...band} />
    </svg>
  );
}

export function Spark(spark: SparkProps) {
  const { height = KPI_PX } = spark;
  const { place, width } = useWidth<HTMLDivElement>();
  const drawnWidth = spark.width ?? width;
  return (
    <div
      ref={place}
      class="spark"
      style={{
        height: `${height}px`,
        ...(spark.width !== undefined && { width: `${spark.width}px` }),
      }}
    >
      {drawnWidth > 0 && spark.values.length > 0 && (
        <Drawing spark={spark} width={drawnWidth} height={height} />
      )}
    </div>
  );
}
