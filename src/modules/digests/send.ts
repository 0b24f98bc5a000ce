import type { SystemContext } from '../../context.ts';
import { toIso } from '../../shared/time.ts';
import type { DigestPost } from '../../temporal/contracts/digests.ts';
import { attemptPost } from './attempt.ts';
import { digestText } from './formats.ts';
import { linkFor } from './off-link.ts';
import { beingPosted, staleClaim } from './posts.ts';
import {
  claimPost,
  isBeingPosted,
  selectDestination,
  selectSettings,
  settlePost,
} from './queries.ts';

/** Sends the digest of a day to a destination, unless it was sent. */
export async function sendDigest(
  { deps }: SystemContext<'clock' | 'config' | 'egress' | 'identity' | 'secrets' | 'sql'>,
  post: DigestPost,
): Promise<void> {
  const { orgId, day, destinationId } = post;
  const settings = await selectSettings(deps.sql, orgId);
  const destination = await selectDestination(deps.sql, orgId, destinationId);
  if (!settings?.isOn || !destination) return;
  const at = deps.clock();
  const claimed = await claimPost(deps.sql, post, { at, staleBefore: staleClaim(at) });
  if (!claimed) {
    if (await isBeingPosted(deps.sql, post)) throw beingPosted();
    return;
  }
  const { digest, createdAt, repeats } = claimed;
  const link = linkFor(deps, { org: orgId, what: 'digest' }, { ...destination, destinationId });
  const outgoing = {
    id: `${day}/${destinationId}`,
    type: 'digest' as const,
    text: digestText(digest, link),
    at: toIso(createdAt),
    data: digest,
    offLink: link,
  };
  await attemptPost(deps, {
    destination: { ...destination, orgId, destinationId },
    repeats,
    outgoing,
    settle: (state) => settlePost(deps.sql, post, state),
  });
}
