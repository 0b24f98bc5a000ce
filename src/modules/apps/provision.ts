import type { SystemContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import type { AppRunInput } from '../../temporal/contracts/apps.ts';
import { createDefaultFunnel, deleteAppFunnels } from '../funnels/index.ts';
import {
  deleteDataset,
  finishProvisioning,
  insertDataset,
  isProvisioning,
  lockStatus,
} from './queries.ts';

/** Each step is idempotent: the workflow retries what may not have happened. */
export async function createAppDataset(
  { deps }: SystemContext<'sql'>,
  input: AppRunInput,
): Promise<void> {
  await insertDataset(deps.sql, input.orgId, input.appId);
}

export async function createAppFunnel(
  ctx: SystemContext<'clock' | 'sql'>,
  input: AppRunInput,
): Promise<void> {
  await createDefaultFunnel(ctx.deps.sql, input, ctx.deps.clock());
}

export async function activateApp(
  { deps }: SystemContext<'sql'>,
  input: AppRunInput,
): Promise<void> {
  await finishProvisioning(deps.sql, input.orgId, input.appId, 'active');
}

/** False when the app was deleted or provisioned in the meantime. */
export async function isAppWanted(
  { deps }: SystemContext<'sql'>,
  input: AppRunInput,
): Promise<boolean> {
  return isProvisioning(deps.sql, input.orgId, input.appId);
}

/**
 * Compensation of provisioning; leaves the app in `error`. Throws `conflict`, which is not retried,
 * for an app that is in use.
 */
export async function undoAppProvisioning(
  { deps }: SystemContext<'sql'>,
  input: AppRunInput,
): Promise<void> {
  const { orgId, appId } = input;
  await deps.sql.begin(async (tx) => {
    const status = await lockStatus(tx, orgId, appId);
    // Compensated already, or left to the deletion.
    if (status === null || status === 'error') return;
    if (status !== 'provisioning') throw new AppError('conflict', 'This app is in use.');
    await deleteAppFunnels(tx, input);
    await deleteDataset(tx, orgId, appId);
    await finishProvisioning(tx, orgId, appId, 'error');
  });
}
