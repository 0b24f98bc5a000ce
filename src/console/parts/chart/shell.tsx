import { useSignal } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { turn } from '../../state/signals.ts';
import { chart as t } from '../../texts/chart.ts';
import { texts } from '../../texts/index.ts';
import { Dialog } from '../dialog.tsx';
import { downloadCsv } from '../download.ts';
import * as icons from '../icons.ts';
import { Table } from '../table.tsx';
import { crosshair } from './crosshair.ts';
import { useListed } from './page-charts.ts';
import { type Named, savePng } from './picture.ts';
import { type ChartTable, csvRows } from './rows.ts';
import type { ChartHandle } from './types.ts';
import { useWidth } from './width.ts';

function TableBehind(props: {
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

export type Place = {
  width: number;
  svg: RefObject<SVGSVGElement | null>;
  openTable: () => void;
};

const fileNameOf = (title: string) => title.toLowerCase().replaceAll(/\W+/g, '-');

export function ChartShell(props: {
  title: string;
  height: number;
  table: ChartTable;
  csvName?: string | undefined;
  names?: readonly Named[];
  children: (place: Place) => ComponentChildren;
}) {
  const { title, height, table, names } = props;
  const fileName = props.csvName ?? fileNameOf(title);
  const { place, width } = useWidth<HTMLDivElement>();
  const svg = useRef<SVGSVGElement>(null);
  const isOpen = useSignal(false);
  const handle: ChartHandle = {
    title,
    savePng: () => {
      const words = { title, fileName, ...(names && { names }) };
      crosshair.value = null;
      // What the crosshair hid is back then.
      requestAnimationFrame(() => {
        if (svg.current) void savePng(svg.current, words);
      });
    },
    saveCsv: () => downloadCsv(`${fileName}.csv`, csvRows(table)),
    openTable: turn(isOpen, true),
  };
  useListed(handle);
  return (
    <figure class="chart" aria-label={title}>
      <div class="chart-place" ref={place} style={{ height: `${height}px` }}>
        {width > 0 && props.children({ width, svg, openTable: handle.openTable })}
        <button
          type="button"
          class="table-button"
          title={t.asTable}
          aria-label={t.asTableOf(title)}
          onClick={handle.openTable}
        >
          <icons.table class="small" aria-hidden />
        </button>
      </div>
      <TableBehind
        table={table}
        handle={handle}
        isOpen={isOpen.value}
        onClose={turn(isOpen, false)}
      />
    </figure>
  );
}
