import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { VIEW_LIST } from '../../../src/modules/sql/views.ts';
import { printSql } from '../../../src/admin/analyst/print-sql.ts';
import type { Deps } from '../../../src/context.ts';

const POSTGRES = /postgres_query\('control_plane', '((?:[^']|'')*)'\)/g;

/**
 * Runs what `--print-sql` printed in a DuckDB of its own, which has no extension here: what it would
 * ask PostgreSQL for is asked by us and given to it as JSON.
 */
export async function countPrinted(deps: Deps, orgId: string): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'printed-sql-'));
  const duck = await DuckDBInstance.create(':memory:');
  const connection = await duck.connect();
  try {
    let text = await printSql(deps, orgId);
    for (const [found, quoted = ''] of [...text.matchAll(POSTGRES)]) {
      const path = join(folder, `${Bun.hash(found)}.json`);
      const rows = await deps.sql.unsafe(quoted.replaceAll("''", "'"));
      const empty = Object.fromEntries(rows.columns.map(({ name }) => [name, null]));
      await Bun.write(path, JSON.stringify([...rows, empty]));
      const [first] = rows.columns;
      text = text.replace(
        found,
        () => `(FROM read_json('${path}') WHERE ${first?.name} IS NOT NULL)`,
      );
    }
    text = text.replace(/^INSTALL postgres.*$/m, '').replace(/^ATTACH .*$/m, '');
    await connection.run(text);
    const counts: Record<string, number> = {};
    for (const { name } of VIEW_LIST) {
      const [[count] = []] = await (await connection.run(`SELECT count(*) FROM ${name}`)).getRows();
      counts[name] = Number(count);
    }
    return counts;
  } finally {
    connection.closeSync();
    duck.closeSync();
    rmSync(folder, { recursive: true });
  }
}

/** The rows of each Parquet file of a folder. */
export async function countFiles(folder: string): Promise<Record<string, number>> {
  const duck = await DuckDBInstance.create(':memory:');
  const connection = await duck.connect();
  const counts: Record<string, number> = {};
  for (const { name } of VIEW_LIST) {
    const file = join(folder, `${name}.parquet`);
    const result = await connection.run(`SELECT count(*) FROM read_parquet('${file}')`);
    counts[name] = Number((await result.getRows())[0]?.[0]);
  }
  connection.closeSync();
  duck.closeSync();
  return counts;
}
