import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { AppError } from '../../shared/errors.ts';
import { DateTime, Nullable, parser } from '../../shared/schema.ts';
import { DatabaseDump } from '../../storage/dump/dump.ts';
import { namesIn, syncPath } from '../../storage/files.ts';

export const MANIFEST = 'manifest.json';

export const FOLDERS = { database: 'database', log: 'log', objects: 'objects' } as const;

const COMMON = {
  createdAt: DateTime,
  database: DatabaseDump,
  segments: Type.Array(Type.String()),
  /** Keys of event files and reports in this folder; null when elsewhere. */
  objects: Nullable(Type.Array(Type.String())),
  eventsUrl: Type.String(),
};

/** Everything acknowledged before `beganAt`, nothing sent after `endedAt`. */
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

const KeptFile = Type.Object({
  key: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  /** Base64. */
  sums: Type.Optional(Type.String()),
});
export type KeptFile = Static<typeof KeptFile>;

/** Event files and reports shared by several backups. */
const KeptFiles = Type.Object({
  /** An address, or a path relative to the backup. */
  at: Type.String(),
  files: Type.Array(KeptFile),
});
export type KeptFiles = Static<typeof KeptFiles>;

const FirstManifest = Type.Object({ format: Type.Literal(1), ...COMMON });

const Manifest = Type.Object({
  format: Type.Literal(2),
  ...COMMON,
  /** Null in the first format. */
  cut: Nullable(Cut),
  /** Absent in backups whose files stay in the bucket. */
  kept: Type.Optional(KeptFiles),
  /** Damaged files of the catalogue. */
  leftOut: Type.Optional(Type.Array(Type.String())),
  /** All but the manifest. */
  files: Nullable(Type.Array(BackupFile)),
});
export type Manifest = Static<typeof Manifest>;

const manifests = parser(Type.Union([FirstManifest, Manifest]), MANIFEST);

/** Last: a folder without a manifest is no backup. */
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
