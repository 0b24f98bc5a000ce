import type { Deps } from '../../context.ts';
import { type AppScope, DEFAULT_REGION } from '../../shared/app.ts';
import type { Clock } from '../../shared/time.ts';
import type { Tx } from '../../storage/postgres.ts';
import { appDeletionContract, appProvisioningContract } from '../../temporal/contracts/apps.ts';
import { ensureAll, ensureMissing } from '../../temporal/ensure.ts';
import type { TemporalGateway } from '../../temporal/gateway.ts';
import { insertNewApp } from './create.ts';
import * as queries from './queries.ts';

/** The next start provisions them. */
export async function recoverApps(tx: Tx, clock: Clock, apps: readonly AppScope[]): Promise<void> {
  for (const { orgId, appId } of apps) {
    await insertNewApp(tx, clock, {
      appId,
      orgId,
      slug: `recovered-${appId.slice(appId.indexOf('_') + 1)}`,
      displayName: `Recovered ${appId}`,
      region: DEFAULT_REGION,
      source: 'built_here',
      createdAt: clock(),
    });
  }
}

const BATCH = 500;

const ensureRun = (temporal: TemporalGateway, { deleting, ...app }: queries.UnfinishedApp) =>
  temporal.ensure(deleting ? appDeletionContract : appProvisioningContract, app);

export function ensureMissingAppRuns(deps: Pick<Deps, 'sql' | 'temporal'>): Promise<boolean> {
  return ensureMissing(deps, {
    select: queries.selectAppsWithoutRun,
    ensure: ensureRun,
    markEnsured: queries.markRunsEnsured,
  });
}

/** No-op for a running one. */
export async function reconcileApps({ sql, temporal }: Pick<Deps, 'sql' | 'temporal'>) {
  await ensureAll(await queries.selectUnfinishedApps(sql, BATCH), (app) =>
    ensureRun(temporal, app),
  );
}
