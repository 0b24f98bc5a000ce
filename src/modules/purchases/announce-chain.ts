import type { Tx } from '../../storage/postgres.ts';
import { announce } from '../webhooks/index.ts';
import type { ChainKey } from './facts-queries.ts';

/**
 * Tells webhooks that what a purchase entitles to has changed. The receiver asks for the
 * entitlement: who holds it, and what it means now, is not known here.
 */
export async function announceChain(tx: Tx, key: ChainKey, at: Date): Promise<void> {
  const { orgId, appId, environment, originalTransactionId } = key;
  const data = { appId, environment, originalTransactionId };
  await announce(tx, () => at, { orgId, type: 'entitlement.changed', data });
}
