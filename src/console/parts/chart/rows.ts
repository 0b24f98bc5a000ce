import { chart as t } from '../../texts/chart.ts';
import type { Cell } from '../csv.ts';
import type { Figure, TimeChartProps } from './types.ts';

export type TableColumn = {
  label: string;
  values: readonly Figure[];
  show: (value: number) => string;
};

/** Everything that is drawn, as columns: series with their intervals, and the comparison. */
export function columnsOf({ series, format, previous }: TimeChartProps): TableColumn[] {
  const columns = series.flatMap(({ name, values, low, high, format: own }): TableColumn[] => {
    const { show } = own ?? format;
    return [
      { label: name, values, show },
      ...(low ? [{ label: t.low(name), values: low, show }] : []),
      ...(high ? [{ label: t.high(name), values: high, show }] : []),
    ];
  });
  if (previous) {
    columns.push({ label: previous.name, values: previous.values, show: format.show });
  }
  return columns;
}

/** The texts of the marks from a day on, until the next. */
export function marksOn({ marks = [], days }: TimeChartProps, index: number): string {
  const [from = '', until] = days.slice(index, index + 2);
  return marks
    .filter(({ day }) => day >= from && (until === undefined || day < until))
    .map(({ label, text }) => text ?? label)
    .join('; ');
}

export const UNIT_NAMES = { hour: t.hour, day: t.day, week: t.week, month: t.month };

/** The chart as a file: a row a day, numbers as they are. */
export function csvRows(chart: TimeChartProps): Cell[][] {
  const columns = columnsOf(chart);
  const hasMarks = (chart.marks?.length ?? 0) > 0;
  const head = [UNIT_NAMES[chart.unit ?? 'day'], ...columns.map(({ label }) => label)];
  return [
    hasMarks ? [...head, t.marks] : head,
    ...chart.days.map((day, index) => {
      const cells: Cell[] = [day, ...columns.map(({ values }) => values[index] ?? null)];
      return hasMarks ? [...cells, marksOn(chart, index)] : cells;
    }),
  ];
}
