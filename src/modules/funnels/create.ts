import type { AppContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { FUNNELS_PER_APP_MAX, type Funnel, type NewFunnel } from './model.ts';
import {
  clearDefault,
  countFunnels,
  findDefaultFunnel,
  insertFunnel,
  lockFunnels,
} from './queries.ts';

/**
 * The only funnel of an app is its default. Throws `conflict` when the app has as many as it may.
 */
export async function createFunnel(ctx: AppContext, input: NewFunnel): Promise<Funnel> {
  const { deps, orgId, app } = ctx;
  const scope = { orgId, appId: app.id };
  const now = deps.clock();
  return deps.sql.begin(async (tx) => {
    await lockFunnels(tx, scope);
    if ((await countFunnels(tx, scope)) >= FUNNELS_PER_APP_MAX) {
      throw new AppError('conflict', 'The app has as many funnels as it may.', {
        hint: `At most ${FUNNELS_PER_APP_MAX} funnels an app; delete one first.`,
      });
    }
    const isDefault = input.isDefault || (await findDefaultFunnel(tx, scope)) === null;
    if (isDefault) await clearDefault(tx, scope, now);
    return insertFunnel(tx, scope, { ...input, isDefault }, now);
  });
}
