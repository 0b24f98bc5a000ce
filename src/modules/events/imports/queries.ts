import type { AppScope } from '../../../shared/app.ts';
import type { Db } from '../../../storage/postgres.ts';

export type ImportedFile = AppScope & { contentHash: string };
export type ImportProgress = { format: string; lines: number; events: number; isFinished: boolean };

export async function selectProgress(db: Db, file: ImportedFile): Promise<ImportProgress | null> {
  const [row] = await db<ImportProgress[]>`
    SELECT format, lines, events, finished_at IS NOT NULL AS "isFinished" FROM imported_files
    WHERE org_id = ${file.orgId} AND app_id = ${file.appId}
      AND content_hash = ${file.contentHash}`;
  return row ?? null;
}

export async function saveProgress(
  db: Db,
  file: ImportedFile,
  { lines, events, isFinished, format, at }: ImportProgress & { at: Date },
): Promise<void> {
  await db`
    INSERT INTO imported_files (app_id, org_id, content_hash, format, lines, events, started_at,
      finished_at)
    VALUES (${file.appId}, ${file.orgId}, ${file.contentHash}, ${format}, ${lines}, ${events},
      ${at}, ${isFinished ? at : null})
    ON CONFLICT (app_id, content_hash) DO UPDATE SET lines = excluded.lines,
      events = excluded.events, finished_at = excluded.finished_at`;
}
