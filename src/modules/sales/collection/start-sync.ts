import type { SystemContext } from '../../../context.ts';
import { wakeActor } from './actor.ts';

/** The organization's actor begins (or goes on) with the key that was just accepted. */
export async function startSync(
  { deps }: SystemContext,
  { orgId }: { orgId: string },
): Promise<void> {
  await wakeActor(deps, orgId);
}
