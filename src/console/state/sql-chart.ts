import type { SqlAnswer } from '../../../clients/api/src/index.ts';

const MAX_PLACES = 400;
const MAX_SERIES = 6;
const MIN_PLACES = 2;
const NUMERIC = /^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL)/;
const TIME = /^(DATE|TIMESTAMP)/;
const MIDNIGHT = /[T ]00:00:00(\.0+)?Z?$/;

export type Drawn = {
  kind: 'line' | 'bar';
  head: string;
  names: string[];
  series: { name: string; values: (number | null)[] }[];
};

const toFigure = (cell: unknown): number | null => {
  const number = cell === null || cell === undefined ? Number.NaN : Number(cell);
  return Number.isFinite(number) ? number : null;
};

export function drawnOf({ columns, rows }: Pick<SqlAnswer, 'columns' | 'rows'>): Drawn | null {
  const [first, ...others] = columns;
  const isDrawable = rows.length >= MIN_PLACES && rows.length <= MAX_PLACES;
  if (first === undefined || !isDrawable || NUMERIC.test(first.type)) return null;
  const names = rows.map(([cell]) => String(cell ?? '').replace(MIDNIGHT, ''));
  if (new Set(names).size < names.length) return null;
  const series = others
    .map(({ name, type }, index) => ({ name, type, at: index + 1 }))
    .filter(({ type }) => NUMERIC.test(type))
    .slice(0, MAX_SERIES)
    .map(({ name, at }) => ({ name, values: rows.map((row) => toFigure(row[at])) }));
  if (series.length === 0) return null;
  const isTime = TIME.test(first.type);
  const drawn = { kind: isTime ? 'line' : 'bar', head: first.name } as const;
  const isBackwards = isTime && (names[0] ?? '') > (names.at(-1) ?? '');
  if (!isBackwards) return { ...drawn, names, series };
  const turned = series.map(({ name, values }) => ({ name, values: values.toReversed() }));
  return { ...drawn, names: names.toReversed(), series: turned };
}
