import type { SystemContext } from '../../context.ts';
import type { AppRunInput } from '../../temporal/contracts/apps.ts';
import { createDefaultFunnel, deleteAppFunnels } from '../funnels/store.ts';
import { deleteDataset, finishProvisioning, insertDataset, isAppPresent } from './store.ts';

/** Each step can run again without harm: the workflow repeats what it is not sure of. */
export async function createDataset({ deps }: SystemContext, input: AppRunInput): Promise<void> {
  await insertDataset(deps.sql, input.orgId, input.appId);
}

export async function createFirstFunnel(ctx: SystemContext, input: AppRunInput): Promise<void> {
  await createDefaultFunnel(ctx.deps.sql, input, ctx.deps.clock());
}

export async function activateApp({ deps }: SystemContext, input: AppRunInput): Promise<void> {
  await finishProvisioning(deps.sql, input.orgId, input.appId, 'active');
}

/** False when the app was deleted meanwhile: then there is nothing left to provision. */
export async function isWanted({ deps }: SystemContext, input: AppRunInput): Promise<boolean> {
  return isAppPresent(deps.sql, input.orgId, input.appId);
}

/** Takes back what provisioning made and leaves the app `error`. */
export async function undoProvisioning({ deps }: SystemContext, input: AppRunInput): Promise<void> {
  await deleteAppFunnels(deps.sql, input);
  await deleteDataset(deps.sql, input.orgId, input.appId);
  await finishProvisioning(deps.sql, input.orgId, input.appId, 'error');
}
