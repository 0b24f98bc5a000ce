import type { SystemContext } from '../../../context.ts';
import { wakeActor } from './actor.ts';

/** Starts or resumes the organization's actor with the accepted key. */
export async function startSync(
  { deps }: SystemContext,
  { orgId }: { orgId: string },
): Promise<void> {
  await wakeActor(deps, orgId);
}
