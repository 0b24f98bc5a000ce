import type { TableOptions } from '../../storage/dump/tables.ts';

/** What long work says while it goes on, and what ends it early. */
export type Reporting = {
  report?: (text: string) => void;
  signal?: AbortSignal;
};

const MEGABYTE = 1024 * 1024;

export const inMegabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`;

/** The part of it that is about the tables of the database. */
export function reportTables({ report, signal }: Reporting): TableOptions {
  return {
    signal,
    onTable: ({ schema, name }, index, all) =>
      report?.(`database: table ${index} of ${all}, ${schema}.${name}`),
  };
}
