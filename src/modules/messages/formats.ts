import type { Bundle } from './bundle.ts';
import type { DestinationKind } from './destination.model.ts';

const DISCORD_CHARACTERS = 2_000;
const ELLIPSIS = '…';

/** Most programs show fewer of a mail. */
const SUBJECT_CHARACTERS = 120;

export type Outgoing = {
  /** Equal for repetitions. */
  id: string;
  type: 'digest' | 'messages' | 'test';
  text: string;
  at: string;
  data: object | null;
  offLink: string;
};

export function bundleText({ lines }: Bundle, offLink: string): string {
  return [...lines, '', `No more of these: ${offLink}`].join('\n');
}

export function toSubject({ text }: Outgoing): string {
  const [line = ''] = text.split('\n');
  return cut(line, SUBJECT_CHARACTERS);
}

/** Slack's control characters; an app may be called `<!channel>`. */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, most - 1).toWellFormed() + ELLIPSIS;
}

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
