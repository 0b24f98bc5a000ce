import { AppError } from '../../shared/errors.ts';
import type { Tx } from '../../storage/postgres.ts';
import { CatalogueMoved, liveFilesWith, readSeq } from '../catalogue/queries.ts';
import { compactAll } from '../compaction/loop.ts';
import type { EventFile } from '../file/event-file.ts';
import type { EventImport } from '../imports/queries.ts';
import { removeFiles } from '../maintenance/rewrite.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { commitUndo } from './commit.ts';
import {
  createTables,
  type Examined,
  examineFile,
  loadRepeats,
  type Replacement,
  writeReplacement,
} from './examine.ts';
import { type RepeatedEvent, selectAdopted, selectChunks, selectRepeats } from './queries.ts';
import { summarizeUndo, type UndoneImport } from './summarize.ts';

/** New files may come meanwhile. */
const MAX_ATTEMPTS = 100;

export type UndoOptions = {
  dryRun: boolean;
  announce: (undone: UndoneImport) => void;
  report: (text: string) => void;
  signal: AbortSignal;
};

type Progress = { files: EventFile[]; repeats: RepeatedEvent[]; examined: Map<string, Examined> };

async function examineFiles(
  compactor: Compactor,
  of: EventImport,
  { examined, repeats: before }: Progress,
  { report, signal }: UndoOptions,
): Promise<Progress> {
  const repeats = await selectRepeats(compactor.sql, of);
  await loadRepeats(compactor, repeats);
  const isRepeated = repeats.length !== before.length;
  const files = await liveFilesWith(compactor.sql, of.appId);
  for (const [index, file] of files.entries()) {
    signal.throwIfAborted();
    const known = examined.get(file.fileId);
    if (known && !(isRepeated && known.isAffected)) continue;
    report(`reading event files: ${index + 1} of ${files.length}`);
    examined.set(file.fileId, await examineFile(compactor, of, file));
  }
  return { files, repeats, examined };
}

type Written = Map<string, Replacement & { kept: number }>;

async function writeReplacements(
  compactor: Compactor,
  of: EventImport,
  { files, examined }: Progress,
  { written, options }: { written: Written; options: UndoOptions },
): Promise<void> {
  const affected = files.filter(({ fileId }) => examined.get(fileId)?.isAffected);
  for (const [fileId, { added, kept }] of written) {
    const isCurrent = affected.some((file) => file.fileId === fileId);
    if (isCurrent && examined.get(fileId)?.kept === kept) continue;
    written.delete(fileId);
    await removeFiles(compactor, added);
  }
  for (const [index, file] of affected.entries()) {
    options.signal.throwIfAborted();
    if (written.has(file.fileId)) continue;
    options.report(`writing event files: ${index + 1} of ${affected.length}`);
    const kept = examined.get(file.fileId)?.kept ?? 0;
    written.set(file.fileId, { ...(await writeReplacement(compactor, of, file)), kept });
  }
}

/**
 * One transaction, which calls `settle`. Idempotent across crashes. Throws `conflict` while the
 * import runs.
 */
export async function undoImport(
  compactor: Compactor,
  of: EventImport,
  options: UndoOptions,
  settle: (tx: Tx) => Promise<void>,
): Promise<UndoneImport> {
  // Rows still in its log would be dropped uncounted.
  await compactAll(compactor, options.signal);
  const seq = await readSeq(compactor.sql);
  const chunks = await selectChunks(compactor.sql, of);
  const adopted = await selectAdopted(compactor.sql, of);
  await createTables(compactor, chunks, adopted);
  const written: Written = new Map();
  let progress: Progress = { files: [], repeats: [], examined: new Map() };
  for (let attempt = 1; ; attempt += 1) {
    progress = await examineFiles(compactor, of, progress, options);
    const undone = await summarizeUndo(compactor, of, progress.files);
    if (attempt === 1) options.announce(undone);
    if (options.dryRun) return undone;
    await writeReplacements(compactor, of, progress, { written, options });
    try {
      const { repeats, examined } = progress;
      await commitUndo(compactor, of, { seq, chunks, repeats, examined, written }, settle);
      return undone;
    } catch (error) {
      if (!(error instanceof CatalogueMoved)) throw error;
      if (attempt < MAX_ATTEMPTS) continue;
      throw new AppError('conflict', 'The event files of the app change all the time.', {
        hint: 'Nothing was removed. Try again.',
        cause: error,
      });
    }
  }
}
