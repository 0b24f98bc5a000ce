import { join } from 'node:path';
import type { Deps } from '../context.ts';
import * as eventStore from '../event-store/keep.ts';
import { copiesInBackups } from '../modules/backup/index.ts';
import { MINUTE_MS, SECOND_MS, sleep } from '../shared/time.ts';
import { withLock } from '../storage/locks.ts';
import { openObjectStoreAt } from '../storage/object-store/open.ts';

const REPAIR_EVERY_MS = 5 * SECOND_MS;
const ENGINE = { name: 'repair', memoryMb: 256, threads: 1 };

export function openRepair(deps: Deps, signal?: AbortSignal): eventStore.Repair {
  const { config, log, objects, sql } = deps;
  const place = objects.isRemote
    ? openObjectStoreAt(config, config.events.url, join(config.dataDir, 'cache', 'scrub'))
    : { isRemote: false, localPath: (key: string) => objects.localPath(key, { when: 'never' }) };
  return {
    ...{ log, objects, place, sql },
    ...(signal && { signal }),
    copiesOf: (key) => copiesInBackups(deps, key),
    withCompactor: async (work) => {
      const compactor = await eventStore.openCompactor(deps, ENGINE);
      return work(compactor).finally(() => compactor.connection.closeSync());
    },
  };
}

async function repeat(
  { log }: Deps,
  { everyMs, round }: { everyMs: number; round: () => Promise<unknown> },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await round().catch((err: unknown) =>
      log.warn({ err }, 'files could not be checked; retrying'),
    );
    await sleep(everyMs, signal);
  }
}

export async function keepFilesWhole(deps: Deps, signal: AbortSignal): Promise<void> {
  const repair = openRepair(deps, signal);
  const [unrepaired, unread] = [eventStore.skipNone(), eventStore.skipNone()];
  const scrub = () =>
    withLock(deps.sql, 'scrub', () => eventStore.scrubRound(repair, undefined, unread));
  await Promise.all([
    repeat(
      deps,
      { everyMs: REPAIR_EVERY_MS, round: () => eventStore.repairDamaged(repair, unrepaired) },
      signal,
    ),
    repeat(deps, { everyMs: MINUTE_MS, round: scrub }, signal),
  ]);
}
