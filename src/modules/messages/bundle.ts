import { DateTime } from 'luxon';
import { counted } from '../../shared/text.ts';
import type { Message, MessageKind, QuietHours } from './model.ts';

/** Beyond these, one line counts the rest. */
export const LINES_A_MINUTE = 20;
/** Size of messages as JSON; with the text, a post stays under 64 KB. */
const MAX_BYTES = 40_000;

export type Bundle = { lines: string[]; messages: Message[] };

const NAMES: Readonly<
  Record<Exclude<MessageKind, 'alert' | 'watch'>, [one: string, many: string]>
> = {
  subscriber: ['new subscriber', 'new subscribers'],
  refund: ['refund', 'refunds'],
  billing_problem: ['billing problem', 'billing problems'],
};

/** Each has a line of its own, whatever the minute has. */
const isKept = ({ kind }: Message) => kind === 'alert' || kind === 'watch';

const toLine = ({ appName, text, kind }: Message) =>
  `${kind === 'alert' ? '! ' : ''}${appName}: ${text}`;

function summaryLine(messages: readonly Message[]): string {
  const parts = Object.entries(NAMES).flatMap(([kind, [one, many]]) => {
    const count = messages.filter((message) => message.kind === kind).length;
    return count === 0 ? [] : [counted(count, one, many)];
  });
  const apps = [...new Set(messages.map(({ appName }) => appName))];
  const where = apps.length === 1 ? `${apps[0]}: ` : '';
  return `${where}${parts.join(', ')}`;
}

export function fitting(messages: readonly Message[]): Message[] {
  let bytes = 0;
  const tooLong = messages.findIndex((message) => {
    bytes += Buffer.byteLength(JSON.stringify(message)) + Buffer.byteLength(toLine(message));
    return bytes > MAX_BYTES;
  });
  return messages.slice(0, tooLong < 0 ? undefined : Math.max(1, tooLong));
}

/** While the minute has lines left, else one in all; alerts and watches keep theirs. */
export function makeBundle(messages: readonly Message[], linesLastMinute: number): Bundle {
  const alerts = messages.filter(isKept);
  const others = messages.filter((message) => !isKept(message));
  const room = LINES_A_MINUTE - linesLastMinute - alerts.length;
  const lines = others.length <= Math.max(0, room) ? others.map(toLine) : [summaryLine(others)];
  return { lines: [...alerts.map(toLine), ...lines], messages: [...messages] };
}

export function isQuiet({ timezone, fromHour, toHour }: QuietHours, now: Date): boolean {
  const { hour } = DateTime.fromJSDate(now, { zone: timezone });
  return fromHour <= toHour ? hour >= fromHour && hour < toHour : hour >= fromHour || hour < toHour;
}
