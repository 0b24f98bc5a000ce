import type { SystemContext } from '../../context.ts';
import type { DigestPost } from '../../temporal/contracts/digests.ts';
import { sendPost } from '../messages/index.ts';
import { digestText } from './digest-text.ts';
import { claimPost, isBeingPosted, selectSettings, settlePost } from './queries.ts';

export async function sendDigest(
  ctx: SystemContext<'clock' | 'config' | 'egress' | 'identity' | 'secrets' | 'sql'>,
  post: DigestPost,
): Promise<void> {
  const { sql } = ctx.deps;
  const { orgId, day, destinationId } = post;
  const settings = await selectSettings(sql, orgId);
  if (!settings?.isOn) return;
  await sendPost(ctx, {
    orgId,
    destinationId,
    type: 'digest',
    id: `${day}/${destinationId}`,
    claim: (times) => claimPost(sql, post, times),
    isBeingPosted: () => isBeingPosted(sql, post),
    settle: (state) => settlePost(sql, post, state),
    write: ({ digest }, offLink) => ({ text: digestText(digest, offLink), data: digest }),
  });
}
