import { join } from 'node:path';
import type { SystemContext } from '../../context.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { openObjectStoreAt } from '../../storage/object-store/open.ts';
import type { Manifest } from './manifest.ts';
import type { Reporting } from './progress.ts';

export type Made = { bytes: number; leftOut: number };

/** Place of scheduled backups, a folder each. */
export type BackupTarget = {
  /** Nothing stays after a failure. */
  make: (name: string, reporting: Reporting) => Promise<Made>;
  /** Throws `not_found` or `conflict` for an incomplete one. */
  check: (name: string) => Promise<void>;
  /** Every byte; throws as `check`. */
  verify: (name: string, signal?: AbortSignal) => Promise<void>;
  note: (name: string, text: string) => Promise<void>;
  keep: (count: number) => Promise<void>;
};

export const FILES = 'files';

/** Other names in the place are foreign and stay. */
const NAME = /^backup-\d{8}T\d{6}Z$/;
export const isOurs = (name: string) => NAME.test(name);
export const backupName = (at: Date) =>
  `backup-${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

type Named = { name: string; finished: boolean; lacksFiles?: boolean };

/**
 * All but the newest `count` and the newest without a damaged file. Those named for a time after
 * `until`, of a clock that was ahead, count as the oldest.
 */
export function superfluous(
  names: readonly Named[],
  count: number,
  until = new Date('9999-12-31'),
): string[] {
  const ours = names.filter(({ name }) => isOurs(name));
  const last = backupName(until);
  const isAhead = ({ name }: Named) => Number(name > last);
  const newest = ours
    .filter((one) => one.finished)
    .toSorted((a, b) => isAhead(a) - isAhead(b) || (a.name < b.name ? 1 : -1));
  const whole = newest.find(({ lacksFiles }) => !lacksFiles);
  const kept = new Set([...newest.slice(0, count), ...(whole ? [whole] : [])]);
  return ours.filter((one) => !kept.has(one)).map(({ name }) => name);
}

export type Kept = {
  names: () => Promise<Named[]>;
  readManifest: (name: string) => Promise<Manifest>;
  remove: (name: string) => Promise<void>;
  files: () => Promise<string | null>;
};

export async function keepNewest(
  ctx: TargetContext,
  { names, readManifest, remove, files }: Kept,
  count: number,
): Promise<void> {
  const ours = (await names()).filter(({ name }) => isOurs(name));
  const read = new Map<string, Manifest | null>();
  for (const { name } of ours.filter((one) => one.finished)) {
    read.set(name, await readManifest(name).catch(() => null));
  }
  const lacksFiles = (name: string) => {
    const manifest = read.get(name);
    return !manifest || manifest.leftOut !== undefined;
  };
  const gone = superfluous(
    ours.map((one) => ({ ...one, lacksFiles: lacksFiles(one.name) })),
    count,
    new Date(ctx.deps.clock().getTime() + HOUR_MS),
  );
  for (const name of gone) {
    await remove(name);
    read.delete(name);
  }
  const manifests = [...read].map(([name, one]) =>
    one === null ? readManifest(name) : Promise.resolve(one),
  );
  const address = await files();
  if (address !== null) await sweepFiles(ctx, address, await Promise.all(manifests));
}

export type TargetContext = SystemContext<'clock' | 'config' | 'objects' | 'sql'>;

async function sweepFiles(
  { deps: { config } }: TargetContext,
  address: string,
  manifests: readonly Manifest[],
): Promise<void> {
  const named = new Set(manifests.flatMap(({ kept }) => kept?.files.map(({ key }) => key) ?? []));
  const files = openObjectStoreAt(config, address, join(config.dataDir, 'backup-cache'));
  for (const { key } of await files.list('')) if (!named.has(key)) await files.remove(key);
}
