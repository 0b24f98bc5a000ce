import type { SystemContext } from '../../context.ts';
import type { DigestPost } from '../../temporal/contracts/digests.ts';
import { selectDigestSettings, sendPost } from '../messages/index.ts';
import { digestText } from './digest-text.ts';
import { digestPosts } from './queries.ts';

export async function sendDigest(
  ctx: SystemContext<'clock' | 'config' | 'egress' | 'identity' | 'secrets' | 'sql'>,
  post: DigestPost,
): Promise<void> {
  const { sql } = ctx.deps;
  const { orgId, day, destinationId } = post;
  const settings = await selectDigestSettings(sql, orgId);
  if (!settings?.isOn) return;
  await sendPost(ctx, {
    orgId,
    destinationId,
    type: 'digest',
    id: `${day}/${destinationId}`,
    ...digestPosts(sql, { orgId, destinationId, id: day }),
    write: ({ content }, offLink, live) => {
      const digest = { ...content, apps: content.apps.filter(({ appId }) => live.has(appId)) };
      if (digest.apps.length === 0 && content.apps.length > 0) return null;
      return { text: digestText(digest, offLink), data: digest };
    },
  });
}
