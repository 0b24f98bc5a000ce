import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { AppError } from '../../shared/errors.ts';
import { DateTime, Nullable, parser } from '../../shared/schema.ts';
import { DatabaseDump } from '../../storage/dump/dump.ts';
import { syncPath } from '../../storage/files.ts';
import { namesIn } from './files.ts';

export const MANIFEST = 'manifest.json';

/** What stands where in the folder of a backup. */
export const FOLDERS = { database: 'database', log: 'log', objects: 'objects' } as const;

const COMMON = {
  createdAt: DateTime,
  database: DatabaseDump,
  /** Segments of the event log that were not in the catalogue yet. */
  segments: Type.Array(Type.String()),
  /** Keys of the object store; null where it is a bucket, which is backed up by itself. */
  objects: Nullable(Type.Array(Type.String())),
  eventsUrl: Type.String(),
};

/**
 * Which moment it holds: everything that was acknowledged before `beganAt` is in it, nothing that
 * was sent after `endedAt`. The database is as of `snapshotAt`, in which the catalogue of event
 * files had the number `catalogueSeq`.
 */
const Cut = Type.Object({
  beganAt: DateTime,
  snapshotAt: DateTime,
  catalogueSeq: Type.Integer({ minimum: 0 }),
  endedAt: DateTime,
});
export type Cut = Static<typeof Cut>;

const BackupFile = Type.Object({
  path: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String(),
});
export type BackupFile = Static<typeof BackupFile>;

/** What releases up to the first generation wrote. */
const FirstManifest = Type.Object({ format: Type.Literal(1), ...COMMON });

const Manifest = Type.Object({
  format: Type.Literal(2),
  ...COMMON,
  /** Null in backups of the first format, as `files`. */
  cut: Nullable(Cut),
  /** Every file beside the manifest. */
  files: Nullable(Type.Array(BackupFile)),
});
export type Manifest = Static<typeof Manifest>;

const manifests = parser(Type.Union([FirstManifest, Manifest]), MANIFEST);

/** Written last and whole: a folder without it is no backup. */
export async function writeManifest(dir: string, manifest: Manifest): Promise<void> {
  const path = join(dir, MANIFEST);
  await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  await syncPath(dir);
}

async function missing(dir: string, cause: unknown): Promise<AppError> {
  const isBegun = (await namesIn(dir)).some((name) =>
    Object.values<string>(FOLDERS).includes(name),
  );
  return new AppError(
    'not_found',
    isBegun
      ? `The backup in ${dir} was not finished: it was stopped before its end.`
      : `There is no finished backup in ${dir}.`,
    { cause, ...(isBegun && { hint: 'Remove the folder, and use another backup.' }) },
  );
}

export async function readManifest(dir: string): Promise<Manifest> {
  const text = await readFile(join(dir, MANIFEST), 'utf8').catch(async (cause: unknown) => {
    throw await missing(dir, cause);
  });
  const manifest = manifests.parse(JSON.parse(text));
  return manifest.format === 2 ? manifest : { ...manifest, format: 2, cut: null, files: null };
}
