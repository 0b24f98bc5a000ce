import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SystemContext } from '../../context.ts';
import { MARKER_KEY, PROJECTIONS } from '../../event-store/append.ts';
import { AppError } from '../../shared/errors.ts';
import { toIso } from '../../shared/time.ts';
import { dumpDatabase } from '../../storage/dump/dump.ts';
import { namesIn } from '../../storage/files.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import type { Tx } from '../../storage/postgres.ts';
import { copyDurably, copySegments, copyShipped, missingFiles } from './files.ts';
import { holdingFiles } from './lease.ts';
import { FOLDERS, type Manifest, writeManifest } from './manifest.ts';
import { inMegabytes, type Reporting, reportTables } from './progress.ts';
import { snapshot } from './queries.ts';
import { describeFiles } from './verify.ts';

async function makeFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if ((await namesIn(dir)).length > 0) {
    throw new AppError('conflict', `${dir} is not empty.`, { hint: 'Name a new folder.' });
  }
}

/** Copies every object. Throws `unavailable` unless the catalogue of `tx` finds all of its own. */
async function copyObjects(
  tx: Tx,
  objects: ObjectStore,
  to: string,
  { report, signal }: Reporting,
): Promise<string[]> {
  const copied: string[] = [];
  const listed = await objects.list('');
  let bytes = 0;
  for (const { key, bytes: size } of listed) {
    signal?.throwIfAborted();
    // A restored installation makes projections again.
    if (key === MARKER_KEY || key.startsWith(PROJECTIONS)) continue;
    if (!(await copyDurably(await objects.localPath(key), join(to, key)))) continue;
    copied.push(key);
    bytes += size;
    report?.(`files: ${copied.length} of ${listed.length}, ${inMegabytes(bytes)}`);
  }
  const missing = await missingFiles(tx, copied);
  if (missing.length === 0) return copied;
  throw new AppError('unavailable', `${missing.length} files of the catalogue are missing.`, {
    hint: `Run the backup again. The first missing file is ${missing[0]}.`,
  });
}

async function writeAll(
  { deps }: SystemContext<'clock' | 'config' | 'objects' | 'sql'>,
  dir: string,
  reporting: Reporting,
): Promise<Manifest> {
  const { config, clock, objects, sql } = deps;
  const beganAt = toIso(clock());
  const log = join(dir, FOLDERS.log);
  const local = await copySegments(config.events.logDir, log);
  const segments = [...local, ...(await copyShipped(objects, log, local))];
  reporting.report?.(`event log: ${segments.length} segments`);
  const isLocal = config.events.url.startsWith('file:');
  const folder = join(dir, FOLDERS.database);
  const { dump, result } = await dumpDatabase(
    sql,
    folder,
    async (tx) => ({
      ...(await snapshot(tx)),
      // A bucket is backed up by itself.
      objects: isLocal
        ? await copyObjects(tx, objects, join(dir, FOLDERS.objects), reporting)
        : null,
    }),
    reportTables(reporting),
  );
  const { snapshotAt, catalogueSeq } = result;
  return {
    format: 2,
    createdAt: beganAt,
    cut: { beganAt, snapshotAt: toIso(snapshotAt), catalogueSeq, endedAt: toIso(clock()) },
    database: dump,
    segments,
    objects: result.objects,
    eventsUrl: config.events.url,
    files: await describeFiles(dir, reporting),
  };
}

/**
 * Writes a consistent copy of database, event log and event files into an empty folder while the
 * service runs. The log comes first: segments compacted later are marked as done in the snapshot of
 * the database; then the files of that snapshot's catalogue, held by a lease. Sealed secrets stay
 * sealed: the master key is not included. On failure or abort the folder is emptied.
 */
export async function backup(
  ctx: SystemContext<'clock' | 'config' | 'objects' | 'sql'>,
  dir: string,
  reporting: Reporting = {},
): Promise<Manifest> {
  await makeFolder(dir);
  try {
    return await holdingFiles(ctx.deps.sql, async () => {
      const manifest = await writeAll(ctx, dir, reporting);
      await writeManifest(dir, manifest);
      return manifest;
    });
  } catch (thrown) {
    for (const name of await namesIn(dir)) await rm(join(dir, name), { recursive: true });
    throw thrown;
  }
}
