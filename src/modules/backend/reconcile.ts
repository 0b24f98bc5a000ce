import type { Deps } from '../../context.ts';
import { backendProvisioningContract } from '../../temporal/contracts/backend.ts';
import { selectUnfinished } from './queries.ts';

const BATCH = 200;

/** Starts the run of every backend that is in doubt or not healthy yet; a running one stays. */
export async function reconcileBackends({ sql, temporal }: Pick<Deps, 'sql' | 'temporal'>) {
  for (const scope of await selectUnfinished(sql, BATCH)) {
    await temporal.ensure(backendProvisioningContract, scope);
  }
}
