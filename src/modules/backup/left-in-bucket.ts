import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Config } from '../../config.ts';
import { EVENT_OBJECTS } from '../../event-store/place.ts';
import { AppError } from '../../shared/errors.ts';
import type { DatabaseDump } from '../../storage/dump/dump.ts';
import { openObjectStoreAt } from '../../storage/object-store/open.ts';
import { FOLDERS, type Manifest } from './manifest.ts';

async function pathsInDump(
  dir: string,
  { tables }: DatabaseDump,
  { name, isLive }: { name: string; isLive: (state: string | undefined) => boolean },
): Promise<string[]> {
  const table = tables.find((one) => one.schema === 'public' && one.name === name);
  if (table === undefined) return [];
  const file = Bun.file(join(dir, FOLDERS.database, table.file));
  const rows = gunzipSync(await file.bytes())
    .toString()
    .split('\n')
    .filter(Boolean);
  const [path, state] = ['path', 'state'].map((column) => table.columns.indexOf(column));
  return rows.flatMap((row) => {
    const fields = row.split('\t');
    return isLive(fields[state ?? -1]) ? (fields[path ?? -1] ?? []) : [];
  });
}

/** By an earlier release. Throws `conflict` for a missing one. */
export async function checkLeftInBucket(
  config: Config,
  dir: string,
  { database, eventsUrl }: Manifest,
): Promise<void> {
  const bucket = openObjectStoreAt(config, eventsUrl, join(config.dataDir, 'cache'));
  const present = new Set((await bucket.list(EVENT_OBJECTS)).map(({ key }) => key));
  const named = [
    ...(await pathsInDump(dir, database, {
      name: 'event_files',
      isLive: (state) => state === 'live',
    })),
    ...(await pathsInDump(dir, database, {
      name: 'event_key_runs',
      isLive: (state) => state !== 'retired',
    })),
  ];
  const missing = named.filter((path) => !present.has(path));
  if (missing.length === 0) return;
  throw new AppError(
    'conflict',
    `${missing.length} of ${named.length} event files of the backup in ${dir} are no longer in ${eventsUrl}.`,
    {
      hint: `They were replaced or removed after it was made; the first is ${missing[0]}. Bring them back from the bucket's versions or a copy of it (--files-from), or restore the rest: --without-missing-files.`,
    },
  );
}
