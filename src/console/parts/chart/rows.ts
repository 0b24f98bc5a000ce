import { chart as t } from '../../texts/chart.ts';
import type { Cell } from '../csv.ts';
import { fullName } from './days.ts';
import type { ChartMark, Figure, TimeChartProps, Unit } from './types.ts';

export type TableColumn = {
  label: string;
  values: readonly Figure[];
  show: (value: number) => string;
};

export type ChartTable = {
  head: string;
  rows: readonly { key: string; name: string; plain?: string }[];
  columns: readonly TableColumn[];
  notes?: { label: string; values: readonly string[] };
};

const UNIT_NAMES: Record<Unit, string> = { hour: t.hour, day: t.day, week: t.week, month: t.month };

export const dayRows = (days: readonly string[], unit: Unit = 'day') => ({
  head: UNIT_NAMES[unit],
  rows: days.map((day) => ({ key: day, plain: day, name: fullName(day, unit) })),
});

export function marksOn<T extends Pick<ChartMark, 'day'>>(
  marks: readonly T[],
  days: readonly string[],
  index: number,
): T[] {
  const [from = '', until] = days.slice(index, index + 2);
  return marks.filter(
    ({ day }) => day >= from.slice(0, day.length) && (until === undefined || day < until),
  );
}

export function tableOf(chart: TimeChartProps) {
  const { days, unit, places, series, format, previous, marks = [] } = chart;
  const columns = series.flatMap(({ name, values, low, high }): TableColumn[] => {
    const { show } = format;
    return [
      { label: name, values, show },
      ...(low ? [{ label: t.low(name), values: low, show }] : []),
      ...(high ? [{ label: t.high(name), values: high, show }] : []),
    ];
  });
  if (previous) {
    columns.push({ label: previous.name, values: previous.values, show: format.show });
  }
  const textsOn = (index: number) =>
    marksOn(marks, days, index)
      .map(({ label, text }) => text ?? label)
      .join('; ');
  const rows = places
    ? { head: places.head, rows: places.names.map((name) => ({ key: name, name })) }
    : dayRows(days, unit);
  const table: ChartTable = { ...rows, columns };
  if (marks.length === 0) return table;
  return { ...table, notes: { label: t.marks, values: days.map((_, index) => textsOn(index)) } };
}

export function csvRows({ head, rows, columns, notes }: ChartTable): Cell[][] {
  const heads = [head, ...columns.map(({ label }) => label)];
  return [
    notes ? [...heads, notes.label] : heads,
    ...rows.map(({ name, plain = name }, index) => {
      const cells: Cell[] = [plain, ...columns.map(({ values }) => values[index] ?? null)];
      return notes ? [...cells, notes.values[index] ?? ''] : cells;
    }),
  ];
}
