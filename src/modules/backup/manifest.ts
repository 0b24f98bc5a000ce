import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { AppError } from '../../shared/errors.ts';
import { DateTime, parser } from '../../shared/schema.ts';
import { DatabaseDump } from '../../storage/dump/dump.ts';
import { syncPath } from '../../storage/files.ts';

const MANIFEST = 'manifest.json';

/** What stands where in the folder of a backup. */
export const FOLDERS = { database: 'database', log: 'log', objects: 'objects' } as const;

export const Manifest = Type.Object({
  format: Type.Literal(1),
  createdAt: DateTime,
  database: DatabaseDump,
  /** Segments of the event log that were not in the catalogue yet. */
  segments: Type.Array(Type.String()),
  /** Keys of the object store; null where it is a bucket, which is backed up by itself. */
  objects: Type.Union([Type.Array(Type.String()), Type.Null()]),
  eventsUrl: Type.String(),
});
export type Manifest = Static<typeof Manifest>;

const manifests = parser(Manifest, MANIFEST);

/** Written last and whole: a folder without it is no backup. */
export async function writeManifest(dir: string, manifest: Manifest): Promise<void> {
  const path = join(dir, MANIFEST);
  await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  await syncPath(dir);
}

export async function readManifest(dir: string): Promise<Manifest> {
  const text = await readFile(join(dir, MANIFEST), 'utf8').catch((cause: unknown) => {
    throw new AppError('not_found', `There is no finished backup in ${dir}.`, { cause });
  });
  return manifests.parse(JSON.parse(text));
}
