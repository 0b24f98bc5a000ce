import type { AppContext } from '../../context.ts';
import { PUBLISHER_PLATFORMS } from '../../providers/publisher/port.ts';
import type {
  PlatformPerformance,
  PublishHistory,
  ScheduledPost,
  SocialConnections,
} from './model.ts';
import { askPublisher, requirePublisher } from './publisher.ts';
import { selectConnections, selectUsername } from './queries.ts';

/** The stored connections, without a request to the provider. */
export async function getConnections(ctx: AppContext<'sql'>): Promise<SocialConnections> {
  return selectConnections(ctx.deps.sql, { orgId: ctx.orgId, appId: ctx.app.id });
}

/** The newest 100 posts; none before the app has a profile at the provider. */
export async function getHistory(
  ctx: AppContext<'log' | 'publisher' | 'sql'>,
): Promise<PublishHistory> {
  const publisher = requirePublisher(ctx.deps);
  const username = await selectUsername(ctx.deps.sql, { orgId: ctx.orgId, appId: ctx.app.id });
  if (username === null) return { posts: [], total: 0 };
  return askPublisher(ctx, () => publisher.history(username));
}

/** Scheduled posts, soonest first; none before the app has a profile at the provider. */
export async function listScheduled(
  ctx: AppContext<'log' | 'publisher' | 'sql'>,
): Promise<ScheduledPost[]> {
  const publisher = requirePublisher(ctx.deps);
  const username = await selectUsername(ctx.deps.sql, { orgId: ctx.orgId, appId: ctx.app.id });
  if (username === null) return [];
  return askPublisher(ctx, () => publisher.scheduled(username));
}

/** One entry for each connected platform; a figure that the provider lacks is null. */
export async function getPerformance(
  ctx: AppContext<'log' | 'publisher' | 'sql'>,
): Promise<PlatformPerformance[]> {
  const publisher = requirePublisher(ctx.deps);
  const connections = await getConnections(ctx);
  const { publisherUsername } = connections;
  const connected = PUBLISHER_PLATFORMS.filter((name) => connections[name].status === 'connected');
  if (publisherUsername === null || connected.length === 0) return [];
  return askPublisher(ctx, () => publisher.performance(publisherUsername, connected));
}
