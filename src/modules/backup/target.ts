import { join } from 'node:path';
import type { SystemContext } from '../../context.ts';
import { openObjectStoreAt } from '../../storage/object-store/open.ts';
import type { Manifest } from './manifest.ts';
import type { Reporting } from './progress.ts';

/** Place of scheduled backups, a folder each. */
export type BackupTarget = {
  /** Nothing stays after a failure. Returns the bytes. */
  make: (name: string, reporting: Reporting) => Promise<number>;
  /** Throws `not_found` or `conflict` for an incomplete one. */
  check: (name: string) => Promise<void>;
  /** Every byte; throws as `check`. */
  verify: (name: string) => Promise<void>;
  note: (name: string, text: string) => Promise<void>;
  keep: (count: number) => Promise<void>;
};

export const FILES = 'files';

/** Other names in the place are foreign and stay. */
const NAME = /^backup-\d{8}T\d{6}Z$/;
export const isOurs = (name: string) => NAME.test(name);
export const backupName = (at: Date) =>
  `backup-${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

export function superfluous(
  names: readonly { name: string; finished: boolean }[],
  count: number,
): string[] {
  const ours = names.filter(({ name }) => isOurs(name));
  const finished = ours.filter((one) => one.finished).map(({ name }) => name);
  const kept = new Set(finished.toSorted().toReversed().slice(0, count));
  return ours.map(({ name }) => name).filter((name) => !kept.has(name));
}

export type TargetContext = SystemContext<'clock' | 'config' | 'objects' | 'sql'>;

export async function sweepFiles(
  { deps: { config } }: TargetContext,
  address: string,
  manifests: readonly Manifest[],
): Promise<void> {
  const named = new Set(manifests.flatMap(({ kept }) => kept?.files.map(({ key }) => key) ?? []));
  const files = openObjectStoreAt(config, address, join(config.dataDir, 'backup-cache'));
  for (const { key } of await files.list('')) if (!named.has(key)) await files.remove(key);
}
