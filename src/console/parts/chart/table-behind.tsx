import { chart as t } from '../../texts/chart.ts';
import { texts } from '../../texts/index.ts';
import { Dialog } from '../dialog.tsx';
import * as icons from '../icons.ts';
import { Table } from '../table.tsx';
import { fullName } from './days.ts';
import { columnsOf, marksOn, UNIT_NAMES } from './rows.ts';
import type { ChartHandle, TimeChartProps } from './types.ts';

/** The figures of a chart as a table, in a dialog with both of its files. */
export function TableBehind(props: {
  chart: TimeChartProps;
  handle: ChartHandle;
  isOpen: boolean;
  onClose: () => void;
}) {
  const { chart, handle } = props;
  const { days, title, unit = 'day' } = chart;
  const rows = days.map((day, index) => ({ day, index })).reverse();
  type Row = (typeof rows)[number];
  return (
    <Dialog title={title} isOpen={props.isOpen} onClose={props.onClose} isWide>
      <div class="chart-files">
        <button type="button" class="ghost compact" onClick={handle.saveCsv}>
          <icons.download class="small" aria-hidden />
          {texts.csv}
        </button>
        <button type="button" class="ghost compact" onClick={handle.savePng}>
          <icons.download class="small" aria-hidden />
          {t.png}
        </button>
      </div>
      <Table
        caption={title}
        rows={rows}
        keyOf={({ day }) => day}
        csvName={null}
        dense
        columns={[
          { label: UNIT_NAMES[unit], show: ({ day }: Row) => fullName(day, unit) },
          ...columnsOf(chart).map(({ label, values, show }) => ({
            label,
            number: true,
            sort: ({ index }: Row) => values[index] ?? null,
            show: ({ index }: Row) => {
              const value = values[index] ?? null;
              return value === null ? '–' : show(value);
            },
          })),
          ...((chart.marks?.length ?? 0) > 0
            ? [{ label: t.marks, show: ({ index }: Row) => marksOn(chart, index) }]
            : []),
        ]}
      />
    </Dialog>
  );
}
