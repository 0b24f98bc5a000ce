import type { Deps } from '../../context.ts';
import { SignatureError } from '../../providers/store-server/port.ts';
import { chainOf, openNotification } from './apply-notification.ts';
import { markRead, selectUnread, type Unread } from './reread-queries.ts';
import { keepSigned } from './signed-queries.ts';

/** A batch takes about a second; a minute's batches leave the worker to its other work. */
const BATCH = 200;
const BATCHES = 10;

async function keepOf(deps: Deps, unread: Unread): Promise<void> {
  const content = await openNotification({ deps }, unread.payload);
  const originalTransactionId = chainOf(content);
  if (originalTransactionId === null) return;
  const { environment, receivedAt } = unread;
  const { transaction, renewal } = content;
  for (const app of unread.apps) {
    const key = { ...app, environment, originalTransactionId };
    await deps.sql.begin((tx) => keepSigned(tx, key, { transaction, renewal, receivedAt }));
  }
}

/** What could not be trusted when it was applied cannot be now. */
async function reread(deps: Deps, unread: Unread): Promise<void> {
  try {
    await keepOf(deps, unread);
  } catch (thrown) {
    if (!(thrown instanceof SignatureError)) throw thrown;
    deps.log.warn(
      { err: thrown, notificationId: unread.notificationId },
      'A stored notification cannot be read',
    );
  }
}

/**
 * Reads notifications once more that were applied by a release which kept nothing of what was signed
 * inside. Goes on where it was stopped; reading one twice changes nothing. Gives how many it read.
 */
export async function rereadNotifications(deps: Deps): Promise<number> {
  let read = 0;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const unread = await selectUnread(deps.sql, BATCH);
    for (const one of unread) await reread(deps, one);
    await markRead(deps.sql, unread, deps.clock());
    read += unread.length;
    if (unread.length < BATCH) break;
  }
  return read;
}
