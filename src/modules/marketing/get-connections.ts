import type { AppContext } from '../../context.ts';
import type { SocialConnections } from './model.ts';
import { selectConnections } from './queries.ts';

/** What is known; the provider is not asked. */
export async function getConnections(ctx: AppContext): Promise<SocialConnections> {
  return selectConnections(ctx.deps.sql, { orgId: ctx.orgId, appId: ctx.app.id });
}
