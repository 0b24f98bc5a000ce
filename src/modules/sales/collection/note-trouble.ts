import type { Deps } from '../../../context.ts';
import type { StoreFault } from '../../../providers/store/fault.ts';
import { announceConnection } from './announce-connection.ts';
import { type KeyFailure, type KeyRecord, recordFailure } from './connection-queries.ts';
import { troubleOf } from './trouble.ts';

type TroubleDeps = Pick<Deps, 'sql' | 'clock'>;

/** Records what is wrong with a key; a change of status goes to webhooks. */
export async function noteTrouble(
  { sql, clock }: TroubleDeps,
  key: KeyRecord,
  trouble: KeyFailure,
): Promise<void> {
  const at = clock();
  await sql.begin(async (tx) => {
    const status = await recordFailure(tx, key, trouble, at);
    const { orgId } = key;
    if (status) await announceConnection(tx, { orgId, at, status, lastError: trouble.message });
  });
}

/** Records a fault outside the runs when it concerns the key itself. */
export async function noteKeyFault(
  deps: TroubleDeps,
  key: KeyRecord,
  fault: StoreFault,
): Promise<void> {
  const trouble = troubleOf(fault);
  if (trouble.keyAccepted !== null) await noteTrouble(deps, key, trouble);
}
