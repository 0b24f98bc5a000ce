import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ChartHandle } from './types.ts';

export const pageCharts = signal<readonly ChartHandle[]>([]);

export function useListed(handle: ChartHandle): void {
  const latest = useRef(handle);
  latest.current = handle;
  useEffect(() => {
    const listed: ChartHandle = {
      title: handle.title,
      savePng: () => latest.current.savePng(),
      saveCsv: () => latest.current.saveCsv(),
      openTable: () => latest.current.openTable(),
    };
    pageCharts.value = [...pageCharts.peek(), listed];
    return () => {
      pageCharts.value = pageCharts.peek().filter((other) => other !== listed);
    };
  }, [handle.title]);
}
