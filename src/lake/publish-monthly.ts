import type { DuckDBConnection } from '@duckdb/node-api';
import { must } from '../shared/assert.ts';
import { commitChange } from './commit.ts';
import { publishedFiles } from './files-queries.ts';
import type { DataFile } from './format/types.ts';
import { transformed } from './format/values.ts';
import { type LakeTable, takeChangedMonths } from './queries.ts';
import type { MonthlyTable } from './tables/own-table.ts';
import { writeRows } from './tables/write.ts';
import type { Publication } from './write-manifests.ts';

const monthNumber = (month: string) =>
  must(transformed('month', `${month} 00:00:00+00`), 'PostgreSQL writes days as YYYY-MM-DD');

export async function publishMonthly(
  publication: Publication,
  duck: () => Promise<DuckDBConnection>,
  { table, months: everyMonth, rows }: MonthlyTable,
  before: LakeTable | null,
): Promise<boolean> {
  const { tx, objects } = publication;
  const changed = await takeChangedMonths(tx, table.name);
  const months = before ? changed : await everyMonth(tx);
  if (before && months.length === 0) return false;
  const isStale = new Set(months.map(monthNumber));
  const files = await publishedFiles(tx, table.name);
  const removed = files.filter(({ partition: [month] }) => isStale.has(must(month, 'a month')));
  const added: DataFile[] = [];
  for (const month of months) {
    const place = { specId: 0, partition: [monthNumber(month)] };
    const file = await writeRows(
      { connection: await duck(), objects },
      table,
      rows(tx, month),
      place,
    );
    if (file) added.push(file);
  }
  // Still empty.
  if (before && added.length + removed.length === 0) return false;
  await commitChange(publication, table, before, { added, removed, source: '' });
  return true;
}
