import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { SystemContext } from '../../context.ts';
import { MARKER_KEY, readInstallation } from '../../event-store/place.ts';
import { AppError } from '../../shared/errors.ts';
import { loadDatabase } from '../../storage/dump/load.ts';
import { makeFolder, namesIn } from '../../storage/files.ts';
import { requiredGeneration } from '../../storage/migrate.ts';
import { putCopy } from '../../storage/object-store/copy.ts';
import { openObjectStore } from '../../storage/object-store/open.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import type { Tx } from '../../storage/postgres.ts';
import { findMinRelease, hasTable } from '../../storage/release.ts';
import { backup } from './backup.ts';
import { resolveAddress, copyMissing, withCopier } from './event-files.ts';
import { missingFiles, restoreSegments } from './files.ts';
import { FOLDERS, type Manifest, readManifest } from './manifest.ts';
import { type Reporting, reportTables } from './progress.ts';
import { requireStopped } from './upgrade.ts';
import { verifyAll, verifyBackup } from './verify.ts';

type Context = SystemContext<'clock' | 'config' | 'objects' | 'sql'>;

export type Downgraded = {
  createdAt: string;
  isRestored: boolean;
  /** Verified backup of the present state; null without changes. */
  kept: string | null;
};

async function restoreFiles(
  config: Config,
  objects: ObjectStore,
  tx: Tx,
  { dir, manifest }: { dir: string; manifest: Manifest },
): Promise<void> {
  const { kept } = manifest;
  if (kept !== undefined) {
    const places = { from: resolveAddress(dir, kept.at), to: config.events.url };
    await withCopier(config, places, (copier) => copyMissing(copier, kept.files));
  }
  const present = new Set((await objects.list('')).map(({ key }) => key));
  for (const key of manifest.objects ?? []) {
    if (present.has(key)) continue;
    await putCopy(objects, key, join(dir, FOLDERS.objects, key));
    present.add(key);
  }
  const missing = await missingFiles(tx, present);
  if (missing.length === 0) return;
  throw new AppError('unavailable', `${missing.length} event files of the backup are missing.`, {
    hint: `The first is ${missing[0]}. Bring them back from the bucket's versions. Nothing was changed.`,
  });
}

async function moveOthersAside({ deps }: Context, segments: readonly string[]): Promise<void> {
  const { logDir } = deps.config.events;
  const aside = `${logDir}-until-${deps.clock().getTime()}`;
  for (const name of await namesIn(logDir)) {
    if (segments.includes(name)) continue;
    makeFolder(aside);
    await rename(join(logDir, name), join(aside, name));
  }
}

/** Where the earlier release cannot read `dir`. */
export async function downgrade(
  ctx: Context,
  { dir, keep }: { dir: string; keep: string },
  reporting: Reporting = {},
): Promise<Downgraded> {
  const { config, sql } = ctx.deps;
  const manifest = await readManifest(dir);
  const { createdAt, database } = manifest;
  if ((await requiredGeneration(database.migrations)) >= (await findMinRelease(sql))) {
    return { createdAt, isRestored: false, kept: null };
  }
  const mustStandStill = () => requireStopped(ctx, 'It would be changed under its hands.');
  await mustStandStill();
  await verifyAll(ctx, dir, manifest, reporting);
  await backup(ctx, keep, reporting);
  await verifyBackup(ctx, keep, reporting);
  const { id } = await readInstallation(sql);
  const finish = async (tx: Tx) => {
    // The first releases had neither an installation id nor a marker.
    const hasId = await hasTable(tx, 'installation');
    if (hasId && (await readInstallation(tx)).id !== id) {
      throw new AppError('conflict', `${dir} is a backup of another installation.`, {
        hint: 'Nothing was changed. Name the backup that the upgrade made.',
      });
    }
    // Not `deps.objects`, which checks the owner of the place.
    const objects = openObjectStore(config);
    await restoreFiles(config, objects, tx, { dir, manifest });
    if (!hasId) await objects.remove(MARKER_KEY);
    // Last, as nothing runs again after the commit.
    await restoreSegments(dir, manifest.segments, config.events.logDir);
  };
  const load = { ...reportTables(reporting), asItWas: true };
  await mustStandStill();
  await loadDatabase(sql, join(dir, FOLDERS.database), database, finish, load);
  await moveOthersAside(ctx, manifest.segments);
  return { createdAt, isRestored: true, kept: keep };
}
