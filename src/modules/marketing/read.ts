import type { AppContext, Deps } from '../../context.ts';
import {
  type PlatformPerformance,
  PUBLISHER_PLATFORMS,
  type Publisher,
  type PublishHistory,
  type ScheduledPost,
} from '../../providers/publisher/port.ts';
import { AppError } from '../../shared/errors.ts';
import { ProviderError } from '../../shared/provider-error.ts';
import { toRejection } from '../../shared/provider-rejection.ts';
import type { SocialConnections } from './model.ts';
import { selectConnections, selectUsername } from './queries.ts';

export function requirePublisher(deps: Pick<Deps, 'publisher'>): Publisher {
  if (deps.publisher) return deps.publisher;
  throw new AppError('provider_not_configured', 'No publishing provider is configured.', {
    hint: 'Set PUBLISHER_API_URL and PUBLISHER_API_KEY on the server.',
  });
}

export async function askPublisher<T>(ctx: AppContext<'log'>, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    if (thrown instanceof ProviderError) {
      ctx.deps.log.warn({ err: thrown, appId: ctx.app.id }, 'publishing provider failed');
    }
    throw toRejection(thrown, 'publishing');
  }
}

export async function getConnections(ctx: AppContext<'sql'>): Promise<SocialConnections> {
  return selectConnections(ctx.deps.sql, ctx.scope);
}

async function readProfile<T>(
  ctx: AppContext<'log' | 'publisher' | 'sql'>,
  none: T,
  read: (publisher: Publisher, username: string) => Promise<T>,
): Promise<T> {
  const publisher = requirePublisher(ctx.deps);
  const username = await selectUsername(ctx.deps.sql, ctx.scope);
  return username === null ? none : askPublisher(ctx, () => read(publisher, username));
}

export const getHistory = (ctx: AppContext<'log' | 'publisher' | 'sql'>): Promise<PublishHistory> =>
  readProfile(ctx, { posts: [], total: 0 }, (publisher, username) => publisher.history(username));

export const listScheduled = (
  ctx: AppContext<'log' | 'publisher' | 'sql'>,
): Promise<ScheduledPost[]> =>
  readProfile(ctx, [], (publisher, username) => publisher.scheduled(username));

/** Per connected platform; null for a missing figure. */
export async function getPerformance(
  ctx: AppContext<'log' | 'publisher' | 'sql'>,
): Promise<PlatformPerformance[]> {
  return readProfile<PlatformPerformance[]>(ctx, [], async (publisher, username) => {
    const connections = await getConnections(ctx);
    const connected = PUBLISHER_PLATFORMS.filter(
      (name) => connections[name].status === 'connected',
    );
    return connected.length === 0 ? [] : publisher.performance(username, connected);
  });
}
