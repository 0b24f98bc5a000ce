import { useSignal } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { turn } from '../../state/signals.ts';
import { chart as t } from '../../texts/chart.ts';
import { downloadCsv } from '../download.ts';
import * as icons from '../icons.ts';
import { crosshair } from './crosshair.ts';
import { useListed } from './page-charts.ts';
import { type Named, savePng } from './picture.ts';
import { type ChartTable, csvRows } from './rows.ts';
import { TableBehind } from './table-behind.tsx';
import type { ChartHandle } from './types.ts';
import { useWidth } from './width.ts';

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
