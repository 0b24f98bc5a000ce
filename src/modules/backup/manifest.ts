import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { AppError } from '../../shared/errors.ts';
import { DateTime, Nullable, parser } from '../../shared/schema.ts';
import { DatabaseDump } from '../../storage/dump/dump.ts';
import { namesIn, syncPath } from '../../storage/files.ts';

export const MANIFEST = 'manifest.json';

/** The folders of a backup. */
export const FOLDERS = { database: 'database', log: 'log', objects: 'objects' } as const;

const COMMON = {
  createdAt: DateTime,
  database: DatabaseDump,
  /** Segments of the event log that were not in the catalogue yet. */
  segments: Type.Array(Type.String()),
  /** Keys of the event files and reports in this folder; null where they stand elsewhere. */
  objects: Nullable(Type.Array(Type.String())),
  eventsUrl: Type.String(),
};

/**
 * The moment of the backup: it contains everything acknowledged before `beganAt` and nothing sent
 * after `endedAt`. The database is as of `snapshotAt`, its catalogue of event files at
 * `catalogueSeq`.
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

const KeptFile = Type.Object({ key: Type.String(), bytes: Type.Integer({ minimum: 0 }) });
export type KeptFile = Static<typeof KeptFile>;

/** Event files and reports in a place that several backups share. */
const KeptFiles = Type.Object({
  /** An address, or a path from the folder of the backup. */
  at: Type.String(),
  files: Type.Array(KeptFile),
});
export type KeptFiles = Static<typeof KeptFiles>;

/** The format of the first releases. */
const FirstManifest = Type.Object({ format: Type.Literal(1), ...COMMON });

const Manifest = Type.Object({
  format: Type.Literal(2),
  ...COMMON,
  /** Null in backups of the first format, as `files`. */
  cut: Nullable(Cut),
  /** With `objects` null: absent in backups that leave the files in their bucket. */
  kept: Type.Optional(KeptFiles),
  /** Every file beside the manifest. */
  files: Nullable(Type.Array(BackupFile)),
});
export type Manifest = Static<typeof Manifest>;

const manifests = parser(Type.Union([FirstManifest, Manifest]), MANIFEST);

/** Written last: a folder without it is no backup. */
export async function writeManifest(dir: string, manifest: Manifest): Promise<void> {
  const path = join(dir, MANIFEST);
  await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  await syncPath(dir);
}

export const parseManifest = (text: string): Manifest => {
  const manifest = manifests.parse(JSON.parse(text));
  return manifest.format === 2 ? manifest : { ...manifest, format: 2, cut: null, files: null };
};

async function missingManifest(dir: string, cause: unknown): Promise<AppError> {
  const isUnfinished = (await namesIn(dir)).some((name) =>
    Object.values<string>(FOLDERS).includes(name),
  );
  return new AppError(
    'not_found',
    isUnfinished
      ? `The backup in ${dir} was not finished: it was interrupted.`
      : `There is no finished backup in ${dir}.`,
    { cause, ...(isUnfinished && { hint: 'Remove the folder, and use another backup.' }) },
  );
}

export async function readManifest(dir: string): Promise<Manifest> {
  const text = await readFile(join(dir, MANIFEST), 'utf8').catch(async (cause: unknown) => {
    throw await missingManifest(dir, cause);
  });
  return parseManifest(text);
}
