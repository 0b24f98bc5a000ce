import { join } from 'node:path';
import type { SystemContext } from '../../context.ts';
import { openObjectStoreAt } from '../../storage/object-store/open.ts';
import type { Manifest } from './manifest.ts';
import type { Reporting } from './progress.ts';

/** Where scheduled backups of one installation stand, each in a folder of its name. */
export type BackupTarget = {
  /** Makes and verifies one; returns its bytes. Nothing remains of one that failed. */
  make: (name: string, reporting: Reporting) => Promise<number>;
  /** Throws `not_found` or `conflict` for one that is no longer whole, its event files included. */
  check: (name: string) => Promise<void>;
  /** Removes all but the newest `count` finished ones, what was left unfinished, and their files. */
  keep: (count: number) => Promise<void>;
};

/** The event files of all backups of a target, beside them: each is there once. */
export const FILES = 'files';

/** In this form names sort by time; anything else in the place is not ours and stays. */
const NAME = /^backup-\d{8}T\d{6}Z$/;
export const isOurs = (name: string) => NAME.test(name);
export const backupName = (at: Date) =>
  `backup-${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

/** What of the names, finished or not, is to be removed. */
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

/** Removes the event files that no finished backup names. */
export async function sweepFiles(
  { deps: { config } }: TargetContext,
  address: string,
  manifests: readonly Manifest[],
): Promise<void> {
  const named = new Set(manifests.flatMap(({ kept }) => kept?.files.map(({ key }) => key) ?? []));
  const files = openObjectStoreAt(config, address, join(config.dataDir, 'backup-cache'));
  for (const { key } of await files.list('')) if (!named.has(key)) await files.remove(key);
}
