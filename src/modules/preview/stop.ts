import type { AppContext } from '../../context.ts';
import type { PreviewSession } from './model.ts';
import { requestStop, selectSession } from './queries.ts';

/** Asks the session to end; its supervisor sees that within a second or two. */
export async function stopPreview({ deps, orgId, app }: AppContext): Promise<PreviewSession> {
  const scope = { orgId, appId: app.id };
  await requestStop(deps.sql, scope, deps.clock());
  return selectSession(deps.sql, scope);
}
