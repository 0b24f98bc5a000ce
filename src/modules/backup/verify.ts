import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { SystemContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { checkKept, compareKept } from './event-files.ts';
import { checkLeftInBucket } from './left-in-bucket.ts';
import { type BackupFile, MANIFEST, type Manifest, readManifest } from './manifest.ts';
import { inMegabytes, type Reporting } from './progress.ts';

export type Verified = { createdAt: string; files: number; bytes: number };

const MAX_NAMED = 5;

async function describeFile(dir: string, path: string): Promise<BackupFile> {
  const hasher = new Bun.CryptoHasher('sha256');
  for await (const chunk of createReadStream(join(dir, path))) hasher.update(chunk);
  const { size } = await stat(join(dir, path));
  return { path, bytes: size, sha256: hasher.digest('hex') };
}

async function listFiles(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
    .filter((path) => path !== MANIFEST)
    .toSorted();
}

export async function describeFiles(
  dir: string,
  { report, signal }: Reporting = {},
): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  let bytes = 0;
  const paths = await listFiles(dir);
  for (const path of paths) {
    signal?.throwIfAborted();
    const file = await describeFile(dir, path);
    files.push(file);
    bytes += file.bytes;
    report?.(`checksums: ${files.length} of ${paths.length} files, ${inMegabytes(bytes)}`);
  }
  return files;
}

function findFaults(expected: readonly BackupFile[], found: readonly BackupFile[]): string[] {
  const byPath = new Map(found.map((file) => [file.path, file]));
  const paths = new Set(expected.map(({ path }) => path));
  const broken = expected.flatMap(({ path, bytes, sha256 }) => {
    const file = byPath.get(path);
    if (!file) return [`${path} is missing`];
    return file.bytes === bytes && file.sha256 === sha256 ? [] : [`${path} has changed`];
  });
  const others = found.filter(({ path }) => !paths.has(path));
  return [...broken, ...others.map(({ path }) => `${path} is not of this backup`)];
}

export async function verifyFiles(
  dir: string,
  { files, createdAt }: Manifest,
  reporting: Reporting = {},
): Promise<Verified> {
  const found = await describeFiles(dir, reporting);
  // The first format has no checksums.
  const faults = files === null ? [] : findFaults(files, found);
  if (faults.length > 0) {
    const named = faults.slice(0, MAX_NAMED).join('; ');
    throw new AppError('conflict', `The backup in ${dir} is damaged: ${named}.`, {
      hint: `${faults.length} files are affected. Use another backup.`,
    });
  }
  return {
    createdAt,
    files: found.length,
    bytes: found.reduce((sum, file) => sum + file.bytes, 0),
  };
}

export async function verifyAll(
  { deps: { config } }: SystemContext<'config'>,
  dir: string,
  manifest: Manifest,
  reporting: Reporting = {},
): Promise<Verified> {
  const own = await verifyFiles(dir, manifest, reporting);
  const { kept } = manifest;
  if (kept === undefined) return own;
  const bytes = await checkKept(config, dir, kept);
  return { ...own, files: own.files + kept.files.length, bytes: own.bytes + bytes };
}

export async function verifyBackup(
  ctx: SystemContext<'config'>,
  dir: string,
  {
    isDeep = false,
    isMended = false,
    ...reporting
  }: Reporting & { isDeep?: boolean; isMended?: boolean } = {},
): Promise<Verified> {
  const manifest = await readManifest(dir);
  const verified = await verifyAll(ctx, dir, manifest, reporting);
  if (isDeep && manifest.kept)
    await compareKept(ctx.deps.config, dir, manifest.kept, { ...reporting, isMended });
  if (manifest.objects === null && manifest.kept === undefined) {
    await checkLeftInBucket(ctx.deps.config, dir, manifest);
  }
  return verified;
}
