import type { AppContext, SystemContext, Deps } from '../../context.ts';
import * as port from '../../providers/publisher/port.ts';
import type { AppScope } from '../../shared/app.ts';
import { AppError } from '../../shared/errors.ts';
import { ProviderError } from '../../shared/provider-error.ts';
import { toRejection } from '../../shared/provider-rejection.ts';
import type { ConnectPage, SocialConnections } from './model.ts';
import * as queries from './queries.ts';

function requirePublisher(deps: Pick<Deps, 'publisher'>): port.Publisher {
  if (deps.publisher) return deps.publisher;
  throw new AppError('provider_not_configured', 'No publishing provider is configured.', {
    hint: 'Set PUBLISHER_API_URL and PUBLISHER_API_KEY on the server.',
  });
}

async function askPublisher<T>(ctx: AppContext<'log'>, call: () => Promise<T>): Promise<T> {
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
  return queries.selectConnections(ctx.deps.sql, ctx.scope);
}

async function readProfile<T>(
  ctx: AppContext<'log' | 'publisher' | 'sql'>,
  none: T,
  read: (publisher: port.Publisher, username: string) => Promise<T>,
): Promise<T> {
  const publisher = requirePublisher(ctx.deps);
  const username = await queries.selectUsername(ctx.deps.sql, ctx.scope);
  return username === null ? none : askPublisher(ctx, () => read(publisher, username));
}

export const getHistory = (
  ctx: AppContext<'log' | 'publisher' | 'sql'>,
): Promise<port.PublishHistory> =>
  readProfile(ctx, { posts: [], total: 0 }, (publisher, username) => publisher.history(username));

export const listScheduled = (
  ctx: AppContext<'log' | 'publisher' | 'sql'>,
): Promise<port.ScheduledPost[]> =>
  readProfile(ctx, [], (publisher, username) => publisher.scheduled(username));

/** Per connected platform; null for a missing figure. */
export async function getPerformance(
  ctx: AppContext<'log' | 'publisher' | 'sql'>,
): Promise<port.PlatformPerformance[]> {
  return readProfile<port.PlatformPerformance[]>(ctx, [], async (publisher, username) => {
    const connections = await getConnections(ctx);
    const connected = port.PUBLISHER_PLATFORMS.filter(
      (name) => connections[name].status === 'connected',
    );
    return connected.length === 0 ? [] : publisher.performance(username, connected);
  });
}

/** Without a provider, the record only. Throws a transient `unavailable`. */
export async function removeMarketing(
  { deps }: SystemContext<'publisher' | 'sql'>,
  scope: AppScope,
): Promise<void> {
  if (deps.publisher && (await queries.isProfileReserved(deps.sql, scope))) {
    try {
      await deps.publisher.deleteProfile(scope.appId);
    } catch (thrown) {
      if (!(thrown instanceof ProviderError)) throw thrown;
      throw new AppError('unavailable', 'The publishing provider did not delete the profile.', {
        cause: thrown,
        ...(thrown.retryAfterSeconds && { retryAfterSeconds: thrown.retryAfterSeconds }),
      });
    }
  }
  await queries.deleteProfile(deps.sql, scope);
}

export async function refreshConnections(
  ctx: AppContext<'clock' | 'log' | 'publisher' | 'sql'>,
): Promise<SocialConnections> {
  const publisher = requirePublisher(ctx.deps);
  const { scope } = ctx;
  const username = ctx.app.id;
  const askedAt = ctx.deps.clock();
  const accounts = await askPublisher(ctx, () => publisher.readAccounts(username));
  await ctx.deps.sql.begin((tx) =>
    queries.saveAccounts(tx, scope, { accounts, username, askedAt }),
  );
  return queries.selectConnections(ctx.deps.sql, scope);
}

export async function connectPlatform(
  ctx: AppContext<'log' | 'publisher' | 'sql'>,
  input: { platform: port.PublisherPlatform },
): Promise<ConnectPage> {
  const publisher = requirePublisher(ctx.deps);
  const { scope } = ctx;
  // The app's id as profile name makes creation idempotent.
  const username = ctx.app.id;
  const hasProfile = (await queries.selectUsername(ctx.deps.sql, scope)) !== null;
  if (!hasProfile) await queries.reserveProfile(ctx.deps.sql, scope);
  const accessUrl = await askPublisher(ctx, () =>
    openPage(publisher, username, input.platform, hasProfile),
  );
  if (!hasProfile) await queries.saveUsername(ctx.deps.sql, scope, username);
  return { accessUrl };
}

async function openPage(
  publisher: port.Publisher,
  username: string,
  platform: port.PublisherPlatform,
  hasProfile: boolean,
): Promise<string> {
  if (hasProfile) {
    try {
      return await publisher.connectPage(username, platform);
    } catch (thrown) {
      if (!(thrown instanceof ProviderError) || thrown.failure !== 'not_found') throw thrown;
    }
  }
  await publisher.ensureProfile(username);
  return publisher.connectPage(username, platform);
}
