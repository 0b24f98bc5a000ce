import type { SystemContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import type { AppRunInput } from '../../temporal/contracts/apps.ts';
import { createDefaultFunnel, deleteAppFunnels } from '../funnels/index.ts';
import * as queries from './queries.ts';

/** Idempotent, for retries. */
export async function createAppDataset(
  { deps }: SystemContext<'sql'>,
  app: AppRunInput,
): Promise<void> {
  if (await queries.isProvisioning(deps.sql, app)) await queries.insertDataset(deps.sql, app);
}

export async function createAppFunnel(
  { deps }: SystemContext<'clock' | 'sql'>,
  app: AppRunInput,
): Promise<void> {
  await deps.sql.begin(async (tx) => {
    if (await queries.isProvisioning(tx, app)) await createDefaultFunnel(tx, app, deps.clock());
  });
}

export async function activateApp(
  { deps }: SystemContext<'clock' | 'sql'>,
  app: AppRunInput,
): Promise<void> {
  await deps.sql.begin(async (tx) => {
    if ((await queries.lockStatus(tx, app)) !== 'provisioning') return;
    await queries.insertDataset(tx, app);
    await createDefaultFunnel(tx, app, deps.clock());
    await queries.finishProvisioning(tx, app, 'active');
  });
}

/** False when deleted or provisioned meanwhile. */
export const isAppWanted = ({ deps }: SystemContext<'sql'>, app: AppRunInput) =>
  queries.isProvisioning(deps.sql, app);

/** Only the run reports the failed step. Throws a permanent `conflict` for an app in use. */
export async function undoAppProvisioning(
  ctx: SystemContext<'clock' | 'sql'>,
  app: AppRunInput,
): Promise<void> {
  const { sql } = ctx.deps;
  if (await queries.isProvisioning(sql, app)) {
    const isMade = await activateApp(ctx, app).then(
      () => true,
      () => false,
    );
    if (isMade) return;
  }
  await sql.begin(async (tx) => {
    const status = await queries.lockStatus(tx, app);
    // Compensated already, or under deletion.
    if (status === null || status === 'error') return;
    if (status !== 'provisioning') throw new AppError('conflict', 'This app is in use.');
    await deleteAppFunnels(tx, app);
    await queries.deleteDataset(tx, app);
    await queries.finishProvisioning(tx, app, 'error');
  });
}
