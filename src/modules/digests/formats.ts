import { formatMinor, minorExponent } from '../../shared/money.ts';
import type { PurchaseNews } from '../purchases/index.ts';
import type { DestinationKind, Digest } from './model.ts';

/** Of a message of Discord. */
const DISCORD_CHARACTERS = 2_000;
const ELLIPSIS = '…';

export type Message = { id: string; text: string; at: string; digest: Digest | null };

function appLines({ name, people, events, alerts, news = [] }: Digest['apps'][number]): string[] {
  return [
    `${name}: ${people} people and ${events} events in the last 24 hours`,
    ...alerts.map((alert) => `  ! ${alert}`),
    ...news.map((line) => `  ${line}`),
  ];
}

const NEWS: Readonly<Record<PurchaseNews['kind'], string>> = {
  subscriber: 'New subscriber',
  refund: 'Refund',
  billing_problem: 'Billing problem',
};
const MILLIUNITS = 1_000;

/** One line for each new subscriber, refund and billing problem. */
export function newsLines({
  news,
  more,
}: {
  news: readonly PurchaseNews[];
  more: number;
}): string[] {
  const lines = news.map(({ kind, productId, priceMilliunits, currency, isTrial }) => {
    const price =
      priceMilliunits === null || currency === null
        ? ''
        : `, ${(priceMilliunits / MILLIUNITS).toFixed(minorExponent(currency))} ${currency}`;
    return `${NEWS[kind]}: ${productId}${isTrial ? ', free trial' : price}`;
  });
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

/** What people read, in every outlet. */
export function digestText({ day, sales, apps }: Digest, offLink: string): string {
  const sold = sales
    ? [
        `Sales of ${sales.day}: ${sales.downloads} downloads, ${formatMinor(sales.proceedsMinor, sales.currency)} proceeds`,
      ]
    : [];
  const nothing = apps.length === 0 ? ['There is no app yet.'] : [];
  const lines = [`Morning digest of ${day}`, '', ...sold, ...apps.flatMap(appLines), ...nothing];
  return [...lines, '', `No more of these: ${offLink}`].join('\n');
}

/** Slack's three control characters; an app may be called `<!channel>`. */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function shortened(text: string): string {
  if (text.length <= DISCORD_CHARACTERS) return text;
  return text.slice(0, DISCORD_CHARACTERS - 1).toWellFormed() + ELLIPSIS;
}

/** The body of a post, as each receiver wants it. */
export function postBody(
  kind: Exclude<DestinationKind, 'mail'>,
  { text, at, digest }: Message,
): string {
  switch (kind) {
    case 'slack':
      return JSON.stringify({ text: escaped(text) });
    case 'discord':
      return JSON.stringify({ content: shortened(text), allowed_mentions: { parse: [] } });
    case 'json':
      return JSON.stringify({
        type: digest ? 'digest' : 'test',
        timestamp: at,
        text,
        data: digest,
      });
  }
}
