import type { AppContext } from '../../context.ts';
import type { Publisher, PublisherPlatform } from '../../providers/publisher/port.ts';
import { ProviderError } from '../../shared/provider-error.ts';
import type { ConnectPage } from './model.ts';
import { askPublisher, requirePublisher } from './publisher.ts';
import { reserveProfile, saveUsername, selectUsername } from './queries.ts';

export async function connectPlatform(
  ctx: AppContext<'log' | 'publisher' | 'sql'>,
  input: { platform: PublisherPlatform },
): Promise<ConnectPage> {
  const publisher = requirePublisher(ctx.deps);
  const scope = { orgId: ctx.orgId, appId: ctx.app.id };
  // The app's id as profile name makes creation idempotent.
  const username = ctx.app.id;
  const hasProfile = (await selectUsername(ctx.deps.sql, scope)) !== null;
  if (!hasProfile) await reserveProfile(ctx.deps.sql, scope);
  const accessUrl = await askPublisher(ctx, () =>
    openPage(publisher, username, input.platform, hasProfile),
  );
  if (!hasProfile) await saveUsername(ctx.deps.sql, scope, username);
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
