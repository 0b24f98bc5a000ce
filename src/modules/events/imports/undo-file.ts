import type { SystemContext } from '../../../context.ts';
import { openCompactor, type UndoneImport, undoImport } from '../../../event-store/keep.ts';
import { AppError } from '../../../shared/errors.ts';
import { findApp, findFile } from './import-file.ts';
import { deleteImportedFile, selectImport, selectProgress } from './queries.ts';

const UNDO_ENGINE = { name: 'undo', memoryMb: 1_024, threads: 2 };

export type UndoInput = {
  appId: string;
  /** The file, or the id of its import. */
  path: string;
  dryRun?: boolean | undefined;
  announce?: (undone: UndoneImport) => void;
  report?: (text: string) => void;
  signal?: AbortSignal;
};

export type UndoneFile = UndoneImport & { importId: string };

type Context = SystemContext<'clock' | 'config' | 'log' | 'objects' | 'sql'>;

const IMPORT_ID = /^imp_[a-z0-9]+$/;

async function findImport(ctx: Context, { appId, path }: UndoInput) {
  const { sql } = ctx.deps;
  const { orgId } = await findApp(ctx, appId);
  const found = IMPORT_ID.test(path)
    ? await selectImport(sql, { orgId, appId, importId: path })
    : await selectProgress(sql, await findFile(ctx, { appId, path }));
  if (!found) {
    throw new AppError('not_found', 'Nothing of this was imported into the app, or it is undone.');
  }
  if (found.importId === null) {
    throw new AppError(
      'conflict',
      'An earlier release imported it and noted nothing to undo it by.',
    );
  }
  return { orgId, appId, importId: found.importId };
}

/** Its file can be imported again. */
export async function undoImportOfFile(ctx: Context, input: UndoInput): Promise<UndoneFile> {
  const of = await findImport(ctx, input);
  const compactor = await openCompactor(ctx.deps, UNDO_ENGINE);
  const { dryRun = false, announce = () => undefined, report = () => undefined } = input;
  const signal = input.signal ?? new AbortController().signal;
  try {
    const options = { dryRun, announce, report, signal };
    const undone = await undoImport(compactor, of, options, (tx) => deleteImportedFile(tx, of));
    return { importId: of.importId, ...undone };
  } finally {
    compactor.connection.closeSync();
  }
}
