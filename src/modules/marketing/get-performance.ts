import type { AppContext } from '../../context.ts';
import { PUBLISHER_PLATFORMS } from '../../providers/publisher/port.ts';
import type { PlatformPerformance } from './model.ts';
import { askPublisher, requirePublisher } from './publisher.ts';
import { selectConnections } from './queries.ts';

/** One entry for each connected platform; a figure that the provider lacks is null. */
export async function getPerformance(ctx: AppContext): Promise<PlatformPerformance[]> {
  const publisher = requirePublisher(ctx.deps);
  const known = await selectConnections(ctx.deps.sql, { orgId: ctx.orgId, appId: ctx.app.id });
  const { publisherUsername } = known;
  const connected = PUBLISHER_PLATFORMS.filter((name) => known[name].status === 'connected');
  if (publisherUsername === null || connected.length === 0) return [];
  return askPublisher(ctx, () => publisher.performance(publisherUsername, connected));
}
