import { chart as t } from '../../texts/chart.ts';
import { texts } from '../../texts/index.ts';
import { Dialog } from '../dialog.tsx';
import * as icons from '../icons.ts';
import { Table } from '../table.tsx';
import type { ChartTable } from './rows.ts';
import type { ChartHandle } from './types.ts';

export function TableBehind(props: {
  table: ChartTable;
  handle: ChartHandle;
  isOpen: boolean;
  onClose: () => void;
}) {
  const { table, handle } = props;
  const rows = table.rows.map((row, index) => ({ ...row, index }));
  type Row = (typeof rows)[number];
  return (
    <Dialog title={handle.title} isOpen={props.isOpen} onClose={props.onClose} isWide>
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
        caption={handle.title}
        rows={rows}
        keyOf={({ key }) => key}
        csvName={null}
        dense
        columns={[
          { label: table.head, show: ({ name }: Row) => name, sort: ({ index }: Row) => index },
          ...table.columns.map(({ label, values, show }) => ({
            label,
            figure: ({ index }: Row) => values[index] ?? null,
            format: show,
            sort: true as const,
          })),
          ...(table.notes
            ? [
                {
                  label: table.notes.label,
                  show: ({ index }: Row) => table.notes?.values[index] ?? '',
                },
              ]
            : []),
        ]}
      />
    </Dialog>
  );
}
