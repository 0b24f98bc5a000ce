import type { Deps, SystemContext } from '../../context.ts';
import { toIso, HOUR_MS } from '../../shared/time.ts';
import { asOutgoingCall } from '../../storage/outgoing-calls-queries.ts';
import { liveAppIds } from '../../storage/rows-of-app.ts';
import type { MessagePost } from '../../temporal/contracts/messages.ts';
import { makeBundle } from './bundle.ts';
import { bundlePosts, failMessagePost } from './bundles-queries.ts';
import { deliver } from './deliver.ts';
import { markGone, type SealedDestination, selectDestination } from './destinations-queries.ts';
import { type Outgoing, bundleText } from './formats.ts';
import { linkFor } from './off-link.ts';
import * as posts from './posts.ts';

export function sendMessage(
  ctx: SystemContext<'clock' | 'config' | 'egress' | 'identity' | 'secrets' | 'sql'>,
  post: MessagePost,
): Promise<void> {
  const { sql } = ctx.deps;
  const { orgId, bundleId, destinationId } = post;
  return sendPost(ctx, {
    orgId,
    destinationId,
    type: 'messages',
    id: `${bundleId}/${destinationId}`,
    ...bundlePosts(sql, { orgId, destinationId, id: bundleId }),
    write: ({ content }, offLink, live) => {
      const messages = content.messages.filter(({ appId }) => live.has(appId));
      if (messages.length === 0) return null;
      const isWhole = messages.length === content.messages.length;
      const bundle = isWhole ? content : makeBundle(messages, 0);
      return { text: bundleText(bundle, offLink), data: { messages } };
    },
  });
}

/** Nearly the half day of its run. */
const TRIED_FOR_MS = 11 * HOUR_MS;

/** Messages of half a day ago are not worth sending. */
export async function giveUpMessage(
  { deps }: SystemContext<'clock' | 'sql'>,
  post: MessagePost,
): Promise<void> {
  await failMessagePost(deps.sql, post, new Date(deps.clock().getTime() - TRIED_FOR_MS));
}

export type Post<Claimed> = {
  orgId: string;
  destinationId: string;
  type: 'digest' | 'messages';
  id: string;
  claim: (times: posts.ClaimTimes) => Promise<Claimed | null>;
  isBeingPosted: () => Promise<boolean>;
  settle: (state: posts.PostState) => Promise<void>;
  /** Null without a live app. */
  write: (
    claimed: Claimed,
    offLink: string,
    live: ReadonlySet<string>,
  ) => Pick<Outgoing, 'text' | 'data'> | null;
};

type Needs = 'clock' | 'config' | 'egress' | 'identity' | 'secrets' | 'sql';

/**
 * Chats get an uncertain post twice at most. Throws `unavailable` or `rate_limited` for another
 * attempt.
 */
export const sendPost = <Claimed extends { createdAt: Date; repeats: number }>(
  ctx: SystemContext<Needs>,
  post: Post<Claimed>,
): Promise<void> => asOutgoingCall(ctx.deps.sql, post.orgId, () => sendOnce(ctx, post));

async function sendOnce<Claimed extends { createdAt: Date; repeats: number }>(
  { deps }: SystemContext<Needs>,
  { orgId, destinationId, type, id, claim, isBeingPosted, settle, write }: Post<Claimed>,
): Promise<void> {
  const destination = await selectDestination(deps.sql, orgId, destinationId);
  if (!destination) return;
  const at = deps.clock();
  const claimed = await claim({ at, staleBefore: posts.staleClaim(at) });
  if (!claimed) {
    if (await isBeingPosted()) throw posts.beingPosted();
    return;
  }
  const { createdAt, repeats } = claimed;
  const { goneReason: error } = destination;
  if (error !== null) return settle({ state: 'failed', error, repeats });
  const receiver = { ...destination, orgId, destinationId };
  const offLink = linkFor(deps, { org: orgId, what: type }, receiver);
  const written = write(claimed, offLink, await liveAppIds(deps.sql, orgId));
  if (!written) return settle({ state: 'failed', error: 'Its apps were deleted.', repeats });
  const outgoing = { id, type, ...written, at: toIso(createdAt), offLink };
  await attempt(deps, { receiver, repeats, outgoing, settle });
}

type Attempt = {
  receiver: SealedDestination & { orgId: string; destinationId: string };
  repeats: number;
  outgoing: Outgoing;
  settle: (state: posts.PostState) => Promise<void>;
};

async function attempt(
  deps: Pick<Deps, 'config' | 'egress' | 'identity' | 'secrets' | 'sql'>,
  { receiver, repeats, outgoing, settle }: Attempt,
): Promise<void> {
  const { kind } = receiver;
  if (!posts.mayRepeat(kind, repeats)) {
    await settle({ state: 'failed', error: 'Nobody knows whether it arrived.', repeats });
    return;
  }
  const outcome = await deliver(deps, receiver, outgoing);
  const after = posts.afterAttempt(kind, repeats, outcome);
  await settle(after);
  if (outcome.kind === 'gone') await markGone(deps.sql, receiver, outcome.reason);
  if (after.state === 'pending') throw posts.retryError(outcome);
}
