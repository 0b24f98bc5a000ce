import type { AppContext } from '../../context.ts';
import type { SocialConnections } from './model.ts';
import { askPublisher, requirePublisher } from './publisher.ts';
import { saveAccounts, selectConnections } from './queries.ts';

export async function refreshConnections(
  ctx: AppContext<'clock' | 'log' | 'publisher' | 'sql'>,
): Promise<SocialConnections> {
  const publisher = requirePublisher(ctx.deps);
  const scope = { orgId: ctx.orgId, appId: ctx.app.id };
  const username = ctx.app.id;
  const askedAt = ctx.deps.clock();
  const accounts = await askPublisher(ctx, () => publisher.readAccounts(username));
  await ctx.deps.sql.begin((tx) => saveAccounts(tx, scope, { accounts, username, askedAt }));
  return selectConnections(ctx.deps.sql, scope);
}
