import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SystemContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { HOUR_MS, SECOND_MS, toIso } from '../../shared/time.ts';
import { dumpDatabase } from '../../storage/dump/dump.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import type { Tx } from '../../storage/postgres.ts';
import { deleteLease, insertLease } from '../events/catalogue/sources-store.ts';
import { MARKER_KEY } from '../events/ownership/marker.ts';
import { copyDurably, copySegments, namesIn } from './files.ts';
import { FOLDERS, type Manifest, writeManifest } from './manifest.ts';
import { cataloguedKeys } from './store.ts';

/** Longer than a backup takes; it ends by itself when the backup dies. */
const LEASE_SECONDS = (12 * HOUR_MS) / SECOND_MS;
const NOBODY = '';

async function makeFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if ((await namesIn(dir)).length > 0) {
    throw new AppError('conflict', `${dir} is not empty.`, { hint: 'Name a new folder.' });
  }
}

/** Copies every object; each that the catalogue of `tx` reads must be among them. */
async function copyObjects(tx: Tx, objects: ObjectStore, to: string): Promise<string[]> {
  const copied: string[] = [];
  for (const { key } of await objects.list('')) {
    if (key.startsWith('.') || key === MARKER_KEY) continue;
    if (await copyDurably(await objects.localPath(key), join(to, key))) copied.push(key);
  }
  const there = new Set(copied);
  const missing = (await cataloguedKeys(tx)).filter((key) => !there.has(key));
  if (missing.length === 0) return copied;
  throw new AppError('unavailable', `${missing.length} files of the catalogue are not there.`, {
    hint: `Run the backup again. The first is ${missing[0]}.`,
  });
}

/**
 * Writes the database, the event log and the event files into an empty folder, consistent with
 * each other, while the service runs. The order makes it so: the log first, since what is
 * compacted later is known as done to the database, which is read as of one moment; then the
 * files that this moment's catalogue names, held by a lease. Sealed secrets stay sealed: the
 * master key is not in it.
 */
export async function backup({ deps }: SystemContext, dir: string): Promise<Manifest> {
  const { config, clock, objects, sql } = deps;
  await makeFolder(dir);
  const createdAt = toIso(clock());
  const local = config.events.url.startsWith('file:');
  const leaseId = await insertLease(sql, NOBODY, LEASE_SECONDS);
  try {
    const segments = await copySegments(config.events.logDir, join(dir, FOLDERS.log));
    const { dump, result } = await dumpDatabase(sql, join(dir, FOLDERS.database), (tx) =>
      local ? copyObjects(tx, objects, join(dir, FOLDERS.objects)) : nothing(),
    );
    const manifest: Manifest = {
      format: 1,
      createdAt,
      database: dump,
      segments,
      objects: result,
      eventsUrl: config.events.url,
    };
    await writeManifest(dir, manifest);
    return manifest;
  } finally {
    await deleteLease(sql, leaseId);
  }
}

/** A bucket keeps its files; what is in the catalogue stays readable from there. */
async function nothing(): Promise<null> {
  return null;
}
