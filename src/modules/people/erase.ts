import type { AppContext } from '../../context.ts';
import type { Deps } from '../../deps.ts';
import type { Db } from '../../storage/postgres.ts';
import { type Alias, type AppScope, eraseFromEvents, idsOfPerson } from '../events/forget/store.ts';
import { HotEvents } from '../events/hot/hot-events.ts';
import { deleteLogsOfPerson } from '../logs/partition-store.ts';
import { erasePurchaseLinks } from '../purchases/people-store.ts';
import { eraseSignedTexts } from '../purchases/signed-store.ts';

/** What a chapter keeps of a person beside the events; runs in the erasure's transaction. */
type ErasureStep = {
  name: string;
  run: (db: Db, app: AppScope, ids: readonly string[]) => Promise<unknown>;
};

const ERASURE_STEPS: readonly ErasureStep[] = [
  // By the links, so before they are gone.
  { name: 'signed purchases', run: eraseSignedTexts },
  { name: 'purchase links', run: erasePurchaseLinks },
  { name: 'log entries', run: deleteLogsOfPerson },
];

/** Mappings of the last seconds, which are in the log of this host but not in the database yet. */
async function aliasesInLog(deps: Deps, scope: AppScope): Promise<Alias[]> {
  const nowMs = deps.clock().getTime();
  const hot = new HotEvents(deps, deps.config.events.logDir);
  return (await hot.snapshot({ ...scope, fromMs: nowMs, toMs: nowMs })).lateLinks;
}

/**
 * Erases a person by any of their ids: gone from every answer when this returns, out of every event
 * file by the maintenance workflow, and what is sent again for these ids stays erased.
 */
export async function erasePerson(
  { deps, orgId, app }: AppContext,
  { personId }: { personId: string },
): Promise<void> {
  const scope = { orgId, appId: app.id };
  const hot = await aliasesInLog(deps, scope);
  // All or nothing: once the map is gone, nobody knows the person's other ids any more.
  await deps.sql.begin(async (tx) => {
    const ids = await idsOfPerson(tx, scope, personId, hot);
    for (const { run } of ERASURE_STEPS) await run(tx, scope, ids);
    await eraseFromEvents(tx, scope, personId, hot);
  });
  deps.log.info({ orgId, appId: app.id }, 'a person was erased');
}
