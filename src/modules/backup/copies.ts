import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deps } from '../../context.ts';
import { readInstallation } from '../../event-store/place.ts';
import { openObjectStoreAt } from '../../storage/object-store/open.ts';

export async function* copiesInBackups(
  { config, sql }: Pick<Deps, 'config' | 'sql'>,
  key: string,
): AsyncGenerator<string> {
  if (config.backups === null) return;
  const cacheDir = join(config.dataDir, 'backup-cache', crypto.randomUUID());
  const place = openObjectStoreAt(config, config.backups.to, cacheDir);
  try {
    const listed = await place.list(`${(await readInstallation(sql)).id}/`);
    const copies = listed.map((object) => object.key).filter((name) => name.endsWith(`/${key}`));
    for (const name of copies.toSorted().toReversed()) yield await place.localPath(name);
  } finally {
    await rm(cacheDir, { recursive: true, force: true });
  }
}
