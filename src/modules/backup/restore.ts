import { join } from 'node:path';
import type { SystemContext } from '../../context.ts';
import { MARKER_KEY } from '../../event-store/place.ts';
import { AppError, invalidInput } from '../../shared/errors.ts';
import { sleep } from '../../shared/time.ts';
import { loadDatabase } from '../../storage/dump/load.ts';
import { migrate } from '../../storage/migrate.ts';
import { putCopy } from '../../storage/object-store/copy.ts';
import { openObjectStore } from '../../storage/object-store/open.ts';
import * as restored from '../../storage/restored.ts';
import { restoreSegments } from './files.ts';
import { checkGone, eraseGone, type GoneAgain } from './gone.ts';
import { FOLDERS, readManifest } from './manifest.ts';
import { preparePlace, type RestoreOptions } from './place.ts';
import { type Reporting, reportTables } from './progress.ts';
import { GONE, isInUse } from './queries.ts';
import { findRunningProcesses } from './running.ts';
import { verifyAll, verifyFiles } from './verify.ts';

export type Restored = {
  createdAt: string;
  tables: number;
  rows: number;
  segments: number;
  objects: number;
  migrated: string[];
  gone: GoneAgain | null;
};

async function checkTarget({ deps: { sql } }: SystemContext<'sql'>): Promise<void> {
  if (!(await isInUse(sql))) return;
  throw new AppError('conflict', 'This installation is in use: a restore would replace it.', {
    hint: 'Start the service with an empty DATA_DIR (or an empty database), then restore.',
  });
}

/** Returns how to end it where nothing was restored. */
export async function holdService(
  ctx: SystemContext<'sql'>,
  dir: string,
): Promise<() => Promise<void>> {
  const { sql } = ctx.deps;
  await readManifest(dir);
  await checkTarget(ctx);
  await migrate(sql);
  await restored.setErasedSince(sql, 'waiting');
  if ((await findRunningProcesses(sql)).length > 0) await sleep(restored.HOLD_SEEN_MS);
  return async () => {
    if ((await restored.readRestored(sql)).from === null) await restored.setErasedSince(sql, null);
  };
}

async function restoreObjects(
  { deps: { config } }: SystemContext<'config'>,
  dir: string,
  keys: string[],
  { report, signal }: Reporting,
) {
  const objects = openObjectStore(config);
  const present = new Set((await objects.list('')).map(({ key }) => key));
  const lacking = keys.filter((key) => key !== MARKER_KEY && !present.has(key));
  for (const [index, key] of lacking.entries()) {
    signal?.throwIfAborted();
    report?.(`files: ${index + 1} of ${lacking.length}`);
    await putCopy(objects, key, join(dir, FOLDERS.objects, key));
  }
}

async function readGone(dir: string, named: string | undefined): Promise<string | null> {
  const file = Bun.file(named ?? join(dir, '..', GONE));
  if (named === undefined && !(await file.exists())) return null;
  return file.text();
}

export type Settling = { gone?: string | undefined; withoutGone?: boolean | undefined };

export async function settle(
  ctx: SystemContext<'clock' | 'config' | 'log' | 'personPlaces' | 'sql'>,
  { gone, withoutGone = false }: Settling,
): Promise<GoneAgain | null> {
  if ((gone === undefined) !== withoutGone) {
    throw invalidInput('gone', 'name the list, or say --without-gone');
  }
  const { sql } = ctx.deps;
  const { from, erasedSince } = await restored.readRestored(sql);
  if (from === null && (erasedSince === null || gone !== undefined)) {
    throw new AppError('conflict', 'No backup was restored here.');
  }
  if (gone !== undefined) return eraseGone(ctx, await Bun.file(gone).text());
  await restored.setErasedSince(sql, from === null ? null : 'accepted');
  return null;
}

/**
 * Database, files and segments in one transaction. Throws `conflict` for an installation in
 * use, another's place or damage, `not_found`.
 */
export async function restore(
  ctx: SystemContext<'clock' | 'config' | 'log' | 'personPlaces' | 'sql'>,
  dir: string,
  options: RestoreOptions & Reporting & Settling = {},
): Promise<Restored> {
  const manifest = await readManifest(dir);
  const { withoutGone = false } = options;
  const gone = withoutGone ? null : await readGone(dir, options.gone);
  const { filesFrom, withoutMissingFiles } = options;
  // Replaced or dropped event files are checked after the copy.
  if (filesFrom !== undefined || withoutMissingFiles) await verifyFiles(dir, manifest, options);
  else await verifyAll(ctx, dir, manifest, options);
  await checkTarget(ctx);
  await migrate(ctx.deps.sql);
  const place = await preparePlace(ctx, { dir, manifest }, options);
  const { database, segments } = manifest;
  let copied = 0;
  const migrated = await loadDatabase(
    ctx.deps.sql,
    join(dir, FOLDERS.database),
    database,
    async (tx) => {
      await place.check(tx);
      await restored.noteRestored(tx, manifest.createdAt, withoutGone ? 'accepted' : 'waiting');
      if (gone !== null) await checkGone(tx, gone);
      await restoreObjects(ctx, dir, manifest.objects ?? [], options);
      copied = await place.settle(tx);
      // Last: once the database is there, a second restore is refused.
      await restoreSegments(dir, segments, ctx.deps.config.events.logDir);
    },
    reportTables(options),
  );
  return {
    createdAt: manifest.createdAt,
    tables: database.tables.length,
    rows: database.tables.reduce((sum, { rows }) => sum + rows, 0),
    segments: segments.length,
    objects: (manifest.objects?.length ?? 0) + copied,
    migrated,
    gone: gone === null ? null : await eraseGone(ctx, gone),
  };
}
