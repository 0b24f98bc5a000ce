import type { SystemContext } from '../../context.ts';
import { HOUR_MS } from '../../shared/time.ts';
import type { MessagePost } from '../../temporal/contracts/messages.ts';
import { makeBundle } from './bundle.ts';
import { bundlePosts, failMessagePost } from './bundles-queries.ts';
import { bundleText } from './formats.ts';
import { sendPost } from './send-post.ts';

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
