import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Deps } from '../../context.ts';
import { deleteLease, renewLease } from '../../event-store/read.ts';
import { VIEW_LIST } from '../../modules/sql/index.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { LEASE_SECONDS, openDataset } from '../../sql/dataset.ts';
import { makeViews, RecordTables } from '../../sql/view.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import { keepInterrupting, openDuck } from '../../storage/duckdb.ts';
import { spillFolder } from '../../storage/spill-folder.ts';
import { findOrganization } from '../organization.ts';
import { type Answer, askEvents } from './ask.ts';

const TEMP_PER_MEMORY = 4;

export type ExportedFile = { path: string; rows: number };

export type AnalystSession = {
  organization: string;
  ask: (text: string) => Promise<Answer>;
  writeFiles: () => Promise<ExportedFile[]>;
  interrupt: () => void;
  close: () => Promise<void>;
};

export async function openAnalystSession(
  deps: Pick<Deps, 'config' | 'objects' | 'sql'>,
  org: string,
  exportDir: string | null = null,
): Promise<AnalystSession> {
  const { config, sql } = deps;
  const organization = await findOrganization(sql, org);
  const { leaseId, ...dataset } = await openDataset(deps, organization.id);
  const tempDir = spillFolder(config.dataDir, 'analyst');
  const duck = await openDuck({
    memoryMb: config.query.memoryMb,
    threads: config.query.threads,
    tempDir,
    tempLimitMb: config.query.memoryMb * TEMP_PER_MEMORY,
  });
  const connection = await duck.connect();
  const records = new RecordTables(connection, sql, organization.id);
  await makeViews(connection, { ...dataset, leaseId }, { records, exportDir });
  const renewal = setInterval(
    () => renewLease(sql, leaseId, LEASE_SECONDS).catch(() => undefined),
    (LEASE_SECONDS / 4) * SECOND_MS,
  );
  let interrupting: Timer | undefined;
  return {
    organization: organization.name,
    ask: async (text) => {
      clearInterval(interrupting);
      await records.fillFor(text);
      return askEvents(connection, text).finally(() => clearInterval(interrupting));
    },
    writeFiles: async () => {
      const written: ExportedFile[] = [];
      for (const { name } of VIEW_LIST) {
        await records.fillFor(name);
        const path = join(exportDir ?? '', `${name}.parquet`);
        const result = await connection.run(
          `COPY (FROM ${name}) TO ${textLiteral(path)} (FORMAT parquet, COMPRESSION zstd)`,
        );
        const [[rows = 0] = []] = await result.getRows();
        written.push({ path, rows: Number(rows) });
      }
      return written;
    },
    interrupt: () => {
      clearInterval(interrupting);
      interrupting = keepInterrupting(connection);
    },
    close: async () => {
      clearInterval(renewal);
      clearInterval(interrupting);
      connection.closeSync();
      duck.closeSync();
      rmSync(tempDir, { recursive: true, force: true });
      await deleteLease(sql, leaseId);
    },
  };
}
