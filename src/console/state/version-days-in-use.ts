import { byVersion } from './version-order.ts';
import { addDays, dayOf } from './days.ts';

type Series = {
  timezone: string;
  points: readonly { from: string }[];
  series: readonly { key: string; rest?: true; points: readonly { people: number }[] }[];
};

const NAMED = 5;

export type VersionsInUse = {
  days: readonly string[];
  /** Older first; null is what stands for all the rest. */
  versions: readonly { version: string | null; values: readonly number[] }[];
};

export function versionsInUse({ timezone, points, series }: Series): VersionsInUse {
  const start = points[0] && dayOf(Date.parse(points[0].from), timezone);
  const named = series
    .filter(({ rest }) => !rest)
    .toSorted((one, other) => byVersion(one.key, other.key));
  const newest = named.slice(-NAMED);
  const others = [...series.filter(({ rest }) => rest), ...named.slice(0, -NAMED)];
  const valuesOf = (one: Series['series'][number]) =>
    points.map((_, at) => one.points[at]?.people ?? 0);
  const rest = others.map(valuesOf);
  return {
    days: start === undefined ? [] : points.map((_, at) => addDays(start, at)),
    versions: [
      ...(rest.length > 0
        ? [
            {
              version: null,
              values: points.map((_, at) => rest.reduce((sum, one) => sum + (one[at] ?? 0), 0)),
            },
          ]
        : []),
      ...newest.map((one) => ({ version: one.key, values: valuesOf(one) })),
    ],
  };
}
