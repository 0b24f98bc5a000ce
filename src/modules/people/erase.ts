import type { AppContext } from '../../context.ts';
import {
  type AppScope,
  aliasesInLog,
  eraseFromEvents,
  idsOfPerson,
} from '../../event-store/append.ts';
import type { Db } from '../../storage/postgres.ts';

/** What a chapter keeps of a person beside the events; runs in the erasure's transaction. */
export type ErasureStep = {
  name: string;
  run: (db: Db, app: AppScope, ids: readonly string[]) => Promise<unknown>;
};

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
    for (const { run } of deps.erasureSteps) await run(tx, scope, ids);
    await eraseFromEvents(tx, scope, personId, hot);
  });
  deps.log.info({ orgId, appId: app.id }, 'a person was erased');
}

declare module '../../context.ts' {
  interface Deps {
    /** What chapters keep of a person beside the events. */
    erasureSteps: readonly ErasureStep[];
  }
}
