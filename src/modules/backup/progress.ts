import type { TableOptions } from '../../storage/dump/tables.ts';

export type Reporting = {
  report?: (text: string) => void;
  signal?: AbortSignal;
};

const MEGABYTE = 1024 * 1024;

export const inMegabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`;

export function reportTables({ report, signal }: Reporting): TableOptions {
  return {
    signal,
    onTable: ({ schema, name }, index, all) =>
      report?.(`database: table ${index} of ${all}, ${schema}.${name}`),
  };
}
