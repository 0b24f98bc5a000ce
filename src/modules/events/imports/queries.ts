import type { AppScope } from '../../../shared/app.ts';
import { type Db, firstRow, hasRows, type Tx, done } from '../../../storage/postgres.ts';

export type ImportedFile = AppScope & { contentHash: string };
export type ImportProgress = {
  importId: string | null;
  format: string;
  lines: number;
  events: number;
  isFinished: boolean;
};

const progressColumns = (db: Db) => db`
  import_id AS "importId", format, lines, events, finished_at IS NOT NULL AS "isFinished"`;

export const selectProgress = (db: Db, file: ImportedFile) =>
  firstRow(db<ImportProgress[]>`
    SELECT ${progressColumns(db)} FROM imported_files
    WHERE org_id = ${file.orgId} AND app_id = ${file.appId}
      AND content_hash = ${file.contentHash}`);

export const selectImport = (db: Db, { orgId, appId, importId }: AppScope & { importId: string }) =>
  firstRow(db<ImportProgress[]>`
    SELECT ${progressColumns(db)} FROM imported_files
    WHERE org_id = ${orgId} AND app_id = ${appId} AND import_id = ${importId}`);

/** No-op for a file whose import has begun. */
export const insertImport = (
  db: Db,
  file: ImportedFile,
  { importId, format, at }: { importId: string; format: string; at: Date },
) =>
  done(db`
    INSERT INTO imported_files (app_id, org_id, content_hash, import_id, format, lines, events,
      started_at)
    VALUES (${file.appId}, ${file.orgId}, ${file.contentHash}, ${importId}, ${format}, 0, 0, ${at})
    ON CONFLICT (app_id, content_hash) DO NOTHING`);

/** False when the import was undone. */
export const saveProgress = (
  db: Db,
  file: ImportedFile,
  {
    importId,
    lines,
    events,
    finishedAt,
  }: Omit<ImportProgress, 'format' | 'isFinished'> & {
    finishedAt: Date | null;
  },
) =>
  hasRows(db`
    UPDATE imported_files SET lines = ${lines}, events = ${events}, finished_at = ${finishedAt}
    WHERE app_id = ${file.appId} AND content_hash = ${file.contentHash}
      AND import_id IS NOT DISTINCT FROM ${importId} RETURNING 1`);

export const deleteImportedFile = (
  tx: Tx,
  { orgId, appId, importId }: AppScope & { importId: string },
) =>
  done(tx`
    DELETE FROM imported_files
    WHERE org_id = ${orgId} AND app_id = ${appId} AND import_id = ${importId}`);
