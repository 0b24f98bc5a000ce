import type { Deps } from '../../context.ts';
import { appDeletionContract, appProvisioningContract } from '../../temporal/contracts/apps.ts';
import { selectUnfinishedApps } from './queries.ts';

const BATCH = 500;

/** Starts the run of every unfinished app; one that runs already is left alone. */
export async function reconcileApps({ sql, temporal }: Pick<Deps, 'sql' | 'temporal'>) {
  for (const { deleting, ...scope } of await selectUnfinishedApps(sql, BATCH)) {
    const contract = deleting ? appDeletionContract : appProvisioningContract;
    await temporal.ensure(contract, scope);
  }
}
