import { formatMinor } from '../../shared/money.ts';
import { counted } from '../../shared/text.ts';
import { type PurchaseNews, purchaseLine } from '../messages/index.ts';
import type { Bundle } from './bundle.ts';
import type { DestinationKind, Digest, DigestMark } from './model.ts';

/** Of a message of Discord. */
const DISCORD_CHARACTERS = 2_000;
const ELLIPSIS = '…';

/** A mail's subject; most shorten it sooner. */
const SUBJECT_CHARACTERS = 120;

/** What is sent to one destination. */
export type Outgoing = {
  /** Stays the same when it is sent again. */
  id: string;
  type: 'digest' | 'messages' | 'test';
  text: string;
  at: string;
  /** What a receiver of JSON gets beside the text. */
  data: object | null;
  /** A page that ends these. */
  offLink: string;
};

type Sales = NonNullable<Digest['sales']>;

/** What clients wrote into the name of a version is one line too. */
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

/** One line for each new subscriber, refund and billing problem. */
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

function salesLine({ day, downloads, proceedsMinor, currency, unconverted = [] }: Sales): string {
  const sold = `Sales of ${day}: ${downloads} downloads, ${formatMinor(proceedsMinor, currency)} proceeds`;
  if (unconverted.length === 0) return sold;
  const left = unconverted.map((one) => formatMinor(one.proceedsMinor, one.currency));
  return `${sold}, and without an exchange rate ${left.join(', ')}`;
}

/** What people read, in every outlet. */
export function digestText({ day, sales, alerts = [], apps }: Digest, offLink: string): string {
  const whole = [...(sales ? [salesLine(sales)] : []), ...alerts.map((alert) => `! ${alert}`)];
  const nothing = apps.length === 0 ? ['There is no app yet.'] : [];
  const lines = [`Morning digest of ${day}`, '', ...whole, ...apps.flatMap(appLines), ...nothing];
  return [...lines, '', `No more of these: ${offLink}`].join('\n');
}

/** Messages as people read them. */
export function bundleText({ lines }: Bundle, offLink: string): string {
  return [...lines, '', `No more of these: ${offLink}`].join('\n');
}

export function subjectOf({ text }: Outgoing): string {
  const [line = ''] = text.split('\n');
  return cut(line, SUBJECT_CHARACTERS);
}

/** Slack's three control characters; an app may be called `<!channel>`. */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, most - 1).toWellFormed() + ELLIPSIS;
}

/** The body of a post, as each receiver wants it. */
export function postBody(
  kind: Exclude<DestinationKind, 'mail'>,
  { type, text, at, data }: Outgoing,
): string {
  switch (kind) {
    case 'slack':
      return JSON.stringify({ text: escaped(text) });
    case 'discord':
      return JSON.stringify({
        content: cut(text, DISCORD_CHARACTERS),
        allowed_mentions: { parse: [] },
      });
    case 'json':
      return JSON.stringify({ type, timestamp: at, text, data });
  }
}
