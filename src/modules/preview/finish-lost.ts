import type { SystemContext } from '../../context.ts';
import { finishSession, type SessionScope } from './queries.ts';

/** For a session whose worker died or never took it. */
export async function finishPreview({ deps }: SystemContext, scope: SessionScope): Promise<void> {
  await finishSession(deps.sql, scope, 'The host of the runner went away.', deps.clock());
}
