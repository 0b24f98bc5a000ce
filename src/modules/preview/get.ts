import type { AppContext } from '../../context.ts';
import type { PreviewSession } from './model.ts';
import { selectSession } from './queries.ts';

export async function getPreview({ deps, orgId, app }: AppContext): Promise<PreviewSession> {
  return selectSession(deps.sql, { orgId, appId: app.id });
}
