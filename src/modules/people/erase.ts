import type { ErasureStep } from '../../chapter.ts';
import type { AppContext } from '../../context.ts';
import { aliasesInLog, eraseFromEvents, idsOfPerson } from '../../event-store/append.ts';

/**
 * Erases a person by any of their ids: at once from every answer, later from every event file (by
 * the maintenance workflow), and for good: events sent again for these ids stay erased.
 */
export async function erasePerson(
  { deps, orgId, app }: AppContext<'clock' | 'config' | 'erasureSteps' | 'log' | 'objects' | 'sql'>,
  { personId }: { personId: string },
): Promise<void> {
  const scope = { orgId, appId: app.id };
  const hot = await aliasesInLog(deps, scope);
  // One transaction: the person's other ids cannot be found once the aliases are deleted.
  await deps.sql.begin(async (tx) => {
    const ids = await idsOfPerson(tx, scope, personId, hot);
    for (const { run } of deps.erasureSteps) await run(tx, scope, ids);
    await eraseFromEvents(tx, scope, personId, hot);
  });
  deps.log.info({ orgId, appId: app.id }, 'person erased');
}

declare module '../../context.ts' {
  interface Deps {
    /** Erase what chapters store of a person beside the events. */
    erasureSteps: readonly ErasureStep[];
  }
}
