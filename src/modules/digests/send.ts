import type { SystemContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { toIso } from '../../shared/time.ts';
import type { DigestPost } from '../../temporal/contracts/digests.ts';
import { deliver } from './deliver.ts';
import { digestText } from './formats.ts';
import { offLink } from './off-link.ts';
import { claimPost, markGone, selectDestination, selectSettings, settlePost } from './queries.ts';

/**
 * Sends the digest of a day to a destination at most once: what a worker that died may have sent is
 * not sent again. Throws `unavailable` or `rate_limited`, to be retried, where it was surely refused.
 */
export async function sendDigest(
  { deps }: SystemContext<'config' | 'egress' | 'identity' | 'secrets' | 'sql'>,
  post: DigestPost,
): Promise<void> {
  const { orgId, day, destinationId } = post;
  const settings = await selectSettings(deps.sql, orgId);
  const destination = await selectDestination(deps.sql, orgId, destinationId);
  if (!settings?.isOn || !destination) return;
  const claimed = await claimPost(deps.sql, post);
  if (!claimed) return;
  const text = digestText(claimed.digest, offLink(deps, orgId));
  const message = {
    id: `${day}/${destinationId}`,
    text,
    at: toIso(claimed.createdAt),
    digest: claimed.digest,
  };
  const outcome = await deliver(deps, { orgId, ...destination }, message);
  if (outcome.kind === 'sent') {
    return settlePost(deps.sql, post, { state: 'sent', error: null });
  }
  const { reason } = outcome;
  if (outcome.kind === 'retry') {
    await settlePost(deps.sql, post, { state: 'pending', error: reason });
    const { retryAfterSeconds } = outcome;
    throw retryAfterSeconds === null
      ? new AppError('unavailable', reason)
      : new AppError('rate_limited', reason, { retryAfterSeconds });
  }
  await settlePost(deps.sql, post, { state: 'failed', error: reason });
  if (outcome.kind === 'gone') await markGone(deps.sql, post, reason);
}
