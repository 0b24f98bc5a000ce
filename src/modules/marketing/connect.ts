import type { AppContext, SystemContext } from '../../context.ts';
import type { Publisher, PublisherPlatform } from '../../providers/publisher/port.ts';
import type { AppScope } from '../../shared/app.ts';
import { AppError } from '../../shared/errors.ts';
import { ProviderError } from '../../shared/provider-error.ts';
import type { ConnectPage, SocialConnections } from './model.ts';
import * as queries from './queries.ts';
import { askPublisher, requirePublisher } from './read.ts';

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
  input: { platform: PublisherPlatform },
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
  publisher: Publisher,
  username: string,
  platform: PublisherPlatform,
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
