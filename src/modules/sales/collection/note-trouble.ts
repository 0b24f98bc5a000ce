import type { Deps } from '../../../context.ts';
import type { StoreFault } from '../../../providers/store/fault.ts';
import { announceConnection } from './announce-connection.ts';
import { type KeyRecord, type KeyTrouble, markTrouble } from './connection-queries.ts';
import { troubleOf } from './trouble.ts';

type TroubleDeps = Pick<Deps, 'sql' | 'clock'>;

/** Writes down what is wrong with a key, and tells webhooks when that changes its status. */
export async function noteTrouble(
  { sql, clock }: TroubleDeps,
  key: KeyRecord,
  trouble: KeyTrouble,
): Promise<void> {
  const at = clock();
  await sql.begin(async (tx) => {
    const status = await markTrouble(tx, key, trouble, at);
    const { orgId } = key;
    if (status) await announceConnection(tx, { orgId, at, status, lastError: trouble.message });
  });
}

/** For faults outside the runs: only what the store says of the key itself is written down. */
export async function noteKeyFault(
  deps: TroubleDeps,
  key: KeyRecord,
  fault: StoreFault,
): Promise<void> {
  const trouble = troubleOf(fault);
  if (trouble.keyAccepted !== null) await noteTrouble(deps, key, trouble);
}
