import type { AppContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { FUNNELS_PER_APP_MAX, type Funnel, type NewFunnel } from './model.ts';
import { clearDefault, countFunnels, insertFunnel, lockFunnels } from './store.ts';

/** Throws `conflict` when the app has as many funnels as it may. */
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
    if (input.isDefault) await clearDefault(tx, scope, now);
    return insertFunnel(tx, scope, input, now);
  });
}
