import type { Deps } from '../../context.ts';
import { backendProvisioningContract } from '../../temporal/contracts/backend.ts';
import { selectUnfinished } from './queries.ts';

const BATCH = 200;

export async function reconcileBackends({ sql, temporal }: Pick<Deps, 'sql' | 'temporal'>) {
  for (const scope of await selectUnfinished(sql, BATCH)) {
    await temporal.ensure(backendProvisioningContract, scope);
  }
}
