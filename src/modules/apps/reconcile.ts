import type { Deps } from '../../context.ts';
import { appDeletionContract, appProvisioningContract } from '../../temporal/contracts/apps.ts';
import { ensureAll, ensureMissing } from '../../temporal/ensure.ts';
import type { TemporalGateway } from '../../temporal/gateway.ts';
import {
  markRunsEnsured,
  selectAppsWithoutRun,
  selectUnfinishedApps,
  type UnfinishedApp,
} from './queries.ts';

const BATCH = 500;

const ensureRun = (temporal: TemporalGateway, { deleting, ...app }: UnfinishedApp) =>
  temporal.ensure(deleting ? appDeletionContract : appProvisioningContract, app);

export function ensureMissingAppRuns(deps: Pick<Deps, 'sql' | 'temporal'>): Promise<boolean> {
  return ensureMissing(deps, {
    select: selectAppsWithoutRun,
    ensure: ensureRun,
    markEnsured: markRunsEnsured,
  });
}

/** No-op for a running one. */
export async function reconcileApps({ sql, temporal }: Pick<Deps, 'sql' | 'temporal'>) {
  await ensureAll(await selectUnfinishedApps(sql, BATCH), (app) => ensureRun(temporal, app));
}
