import type { AppContext } from '../../context.ts';
import type { ScheduledPost } from './model.ts';
import { askPublisher, requirePublisher } from './publisher.ts';
import { selectUsername } from './queries.ts';

/** Posts that wait, soonest first; none before the app has a profile at the provider. */
export async function listScheduled(ctx: AppContext): Promise<ScheduledPost[]> {
  const publisher = requirePublisher(ctx.deps);
  const username = await selectUsername(ctx.deps.sql, { orgId: ctx.orgId, appId: ctx.app.id });
  if (username === null) return [];
  return askPublisher(ctx, () => publisher.scheduled(username));
}
