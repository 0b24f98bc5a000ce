import type { AppContext } from '../../context.ts';
import type { PublishHistory } from './model.ts';
import { askPublisher, requirePublisher } from './publisher.ts';
import { selectUsername } from './queries.ts';

/** The newest 100 posts; none before the app has a profile at the provider. */
export async function getHistory(ctx: AppContext): Promise<PublishHistory> {
  const publisher = requirePublisher(ctx.deps);
  const username = await selectUsername(ctx.deps.sql, { orgId: ctx.orgId, appId: ctx.app.id });
  if (username === null) return { posts: [], total: 0 };
  return askPublisher(ctx, () => publisher.history(username));
}
