import type { SystemContext } from '../../context.ts';
import { HOUR_MS, toIso } from '../../shared/time.ts';
import type { MessagePost } from '../../temporal/contracts/messages.ts';
import { attemptPost } from './attempt.ts';
import {
  claimMessagePost,
  failMessagePost,
  isMessageBeingPosted,
  settleMessagePost,
} from './bundles-queries.ts';
import { bundleText } from './formats.ts';
import { linkFor } from './off-link.ts';
import { beingPosted, staleClaim } from './posts.ts';
import { selectDestination } from './queries.ts';

/** Sends a bundle of messages to a destination, unless it was sent. */
export async function sendMessage(
  { deps }: SystemContext<'clock' | 'config' | 'egress' | 'identity' | 'secrets' | 'sql'>,
  post: MessagePost,
): Promise<void> {
  const { orgId, bundleId, destinationId } = post;
  const destination = await selectDestination(deps.sql, orgId, destinationId);
  if (!destination) return;
  const at = deps.clock();
  const claimed = await claimMessagePost(deps.sql, post, { at, staleBefore: staleClaim(at) });
  if (!claimed) {
    if (await isMessageBeingPosted(deps.sql, post)) throw beingPosted();
    return;
  }
  const { bundle, createdAt, repeats } = claimed;
  const link = linkFor(deps, { org: orgId, what: 'messages' }, { ...destination, destinationId });
  const outgoing = {
    id: `${bundleId}/${destinationId}`,
    type: 'messages' as const,
    text: bundleText(bundle, link),
    at: toIso(createdAt),
    data: { messages: bundle.messages },
    offLink: link,
  };
  await attemptPost(deps, {
    destination: { ...destination, orgId, destinationId },
    repeats,
    outgoing,
    settle: (state) => settleMessagePost(deps.sql, post, state),
  });
}

/** Nearly the half day of its run. */
const TRIED_FOR_MS = 11 * HOUR_MS;

/** After the last attempt: half a day later nobody needs to be told at once. */
export async function giveUpMessage(
  { deps }: SystemContext<'clock' | 'sql'>,
  post: MessagePost,
): Promise<void> {
  await failMessagePost(deps.sql, post, new Date(deps.clock().getTime() - TRIED_FOR_MS));
}
