import type { Deps } from '../../../context.ts';
import { errorMessage } from '../../../shared/errors.ts';
import { recordAcknowledgement, type TokenDue } from './due-queries.ts';
import { backoffMs } from './next-ask.ts';
import type { OpenPlayKey } from './play-key.ts';

/** More than the three days after which Google refunds. */
const MAX_TRIES = 100;

export async function acknowledgePurchase(
  deps: Pick<Deps, 'clock' | 'playStore' | 'sql'>,
  { key, packageName }: OpenPlayKey,
  due: TokenDue,
): Promise<void> {
  const { purchaseToken, kind, tries } = due;
  try {
    await deps.playStore.acknowledge(key, { packageName, purchaseToken, kind });
    await recordAcknowledgement(deps.sql, due, { nextAt: null, error: null });
  } catch (thrown) {
    const nextAt = new Date(deps.clock().getTime() + backoffMs(tries));
    await recordAcknowledgement(deps.sql, due, {
      nextAt: tries < MAX_TRIES ? nextAt : null,
      error: errorMessage(thrown),
    });
  }
}
