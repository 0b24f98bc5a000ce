import type { TableOptions } from '../../storage/dump/tables.ts';

/** Progress messages and cancellation of long work. */
export type Reporting = {
  report?: (text: string) => void;
  signal?: AbortSignal;
};

const MEGABYTE = 1024 * 1024;

export const inMegabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`;

/** Progress of the tables of the database. */
export function reportTables({ report, signal }: Reporting): TableOptions {
  return {
    signal,
    onTable: ({ schema, name }, index, all) =>
      report?.(`database: table ${index} of ${all}, ${schema}.${name}`),
  };
}
