import { type Cell, toCsv } from './csv.ts';

export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

export function downloadCsv(name: string, rows: readonly (readonly Cell[])[]): void {
  download(name, new Blob([toCsv(rows)], { type: 'text/csv;charset=utf-8' }));
}
