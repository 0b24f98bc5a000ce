import type { Deps } from '../../../context.ts';
import { errorMessage } from '../../../shared/errors.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/time.ts';
import { openPlayKey } from './play-key.ts';
import {
  type DueAcknowledgement,
  recordAcknowledgement,
  selectDueAcknowledgements,
} from './purchases-queries.ts';

const BATCH = 200;
/** Google refunds after three days. */
const MAX_WAIT_MS = HOUR_MS;
/** More than three days of them. */
const MAX_TRIES = 100;

type AcknowledgeDeps = Pick<Deps, 'clock' | 'playStore' | 'secrets' | 'sql'>;

export const waitMs = (tries: number): number =>
  Math.min(MAX_WAIT_MS, MINUTE_MS * 2 ** Math.min(tries, 10));

/** A failure is kept, and tried again. */
export async function acknowledgePurchase(
  deps: AcknowledgeDeps,
  due: DueAcknowledgement,
): Promise<void> {
  const { orgId, appId, purchaseToken, tries } = due;
  const retry = (error: string) => ({
    nextAt: tries < MAX_TRIES ? new Date(deps.clock().getTime() + waitMs(tries)) : null,
    error,
  });
  const opened = await openPlayKey({ deps, orgId }, appId);
  if (!opened) {
    await recordAcknowledgement(deps.sql, due, retry('Google Play is not connected.'));
    return;
  }
  const { key, packageName } = opened;
  try {
    await deps.playStore.acknowledge(key, { packageName, purchaseToken });
    await recordAcknowledgement(deps.sql, due, { nextAt: null, error: null });
  } catch (thrown) {
    await recordAcknowledgement(deps.sql, due, retry(errorMessage(thrown)));
  }
}

export async function acknowledgeDue(deps: AcknowledgeDeps): Promise<void> {
  const due = await selectDueAcknowledgements(deps.sql, { now: deps.clock(), limit: BATCH });
  for (const purchase of due) await acknowledgePurchase(deps, purchase);
}
