import type { Deps } from '../../../../context.ts';
import { SignatureError } from '../../../../providers/store-server/port.ts';
import { insertSigned } from '../../ledger/signed-queries.ts';
import { APP_STORE } from '../connection/model.ts';
import { notifiedChainId, openNotification } from './apply.ts';
import { markRead, selectUnread, type Unread } from './queries.ts';

/** About a second each. */
const BATCH = 200;
const BATCHES = 10;

async function saveSigned(deps: Pick<Deps, 'signatures' | 'sql'>, unread: Unread): Promise<void> {
  const opened = await openNotification({ deps }, unread.payload);
  const chainId = notifiedChainId(opened);
  if (chainId === null) return;
  const { environment, receivedAt } = unread;
  const { transaction, renewal } = opened;
  for (const app of unread.apps) {
    const key = { store: APP_STORE, ...app, environment, chainId };
    await deps.sql.begin((tx) => insertSigned(tx, key, { transaction, renewal, receivedAt }));
  }
}

async function reread(
  deps: Pick<Deps, 'log' | 'signatures' | 'sql'>,
  unread: Unread,
): Promise<void> {
  try {
    await saveSigned(deps, unread);
  } catch (thrown) {
    if (!(thrown instanceof SignatureError)) throw thrown;
    deps.log.warn(
      { err: thrown, notificationId: unread.notificationId },
      'stored notification could not be read again',
    );
  }
}

/** For older releases. Resumable and idempotent. */
export async function rereadNotifications(
  deps: Pick<Deps, 'clock' | 'log' | 'signatures' | 'sql'>,
): Promise<number> {
  let read = 0;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const unread = await selectUnread(deps.sql, BATCH);
    for (const notification of unread) await reread(deps, notification);
    await markRead(deps.sql, unread, deps.clock());
    read += unread.length;
    if (unread.length < BATCH) break;
  }
  return read;
}
