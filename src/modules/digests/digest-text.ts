import type { SystemContext } from '../../context.ts';
import { formatMinor } from '../../shared/money.ts';
import { counted } from '../../shared/text.ts';
import type { DigestPost } from '../../temporal/contracts/digests.ts';
import {
  type PurchaseNews,
  purchaseLine,
  selectDigestSettings,
  sendPost,
} from '../messages/index.ts';
import type { Digest, DigestMark, SalesOfDay } from './model.ts';
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

/** One line, whatever a version is called. */
const markLine = ({ day, text }: DigestMark): string => `  ${day}: ${text.replace(/\s+/g, ' ')}`;

function appLines({ name, people, events, alerts, ...rest }: Digest['apps'][number]): string[] {
  const { news = [], marks = [] } = rest;
  return [
    `${name}: ${counted(people, 'person', 'people')} and ${counted(events, 'event', 'events')} in the last 24 hours`,
    ...alerts.map((alert) => `  ! ${alert}`),
    ...news.map((line) => `  ${line}`),
    ...marks.map(markLine),
  ];
}

export function newsLines({
  news,
  more,
}: {
  news: readonly PurchaseNews[];
  more: number;
}): string[] {
  const lines = news.map(purchaseLine);
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

type Refunds = { asked: number; waiting: number; answered: number };

export function refundLines({ asked, waiting, answered }: Refunds): string[] {
  if (asked === 0) return [];
  const left = waiting > 0 ? `, ${waiting} still to be answered` : '';
  return [`${counted(asked, 'refund request', 'refund requests')}: ${answered} answered${left}`];
}

function salesLine(name: string, { day, unconverted = [], ...sales }: SalesOfDay): string {
  const { downloads, proceedsMinor, currency } = sales;
  const sold = `${name} of ${day}: ${downloads} downloads, ${formatMinor(proceedsMinor, currency)} proceeds`;
  if (unconverted.length === 0) return sold;
  const left = unconverted.map((one) => formatMinor(one.proceedsMinor, one.currency));
  return `${sold}, and without an exchange rate ${left.join(', ')}`;
}

export function digestText(digest: Digest, offLink: string): string {
  const { day, sales, googlePlaySales, alerts = [], apps } = digest;
  const sold = [
    ...(sales ? [salesLine('Sales', sales)] : []),
    ...(googlePlaySales ? [salesLine('Sales in Google Play', googlePlaySales)] : []),
  ];
  const whole = [...sold, ...alerts.map((alert) => `! ${alert}`)];
  const nothing = apps.length === 0 ? ['There is no app yet.'] : [];
  const lines = [`Morning digest of ${day}`, '', ...whole, ...apps.flatMap(appLines), ...nothing];
  return [...lines, '', `No more of these: ${offLink}`].join('\n');
}
