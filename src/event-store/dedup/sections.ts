import { type Static, Type } from '@sinclair/typebox';
import { OneOf, parser } from '../../shared/schema.ts';
import { HOUR_MS } from '../../shared/time.ts';

const HOURS_A_DAY = 24;

const Span = Type.Object({
  /** Which time: `ts` as sent, which a retry repeats, or the receipt of events without one. */
  of: OneOf(['sent', 'received']),
  /** Hours since 1970: from the first to before the last. */
  fromHour: Type.Integer(),
  toHour: Type.Integer(),
});
export type Span = Static<typeof Span>;

/** The sorted keys of one span of time, one after the other in the file of their run. */
export const Section = Type.Composite([
  Span,
  Type.Object({
    keys: Type.Integer({ minimum: 1 }),
    minReceivedMs: Type.Number(),
    maxReceivedMs: Type.Number(),
  }),
]);
export type Section = Static<typeof Section>;

const sections = parser(Type.Array(Section), 'sections of a key run');

/** From the catalogue's text; null for runs of earlier releases, whose keys may be of any time. */
export function parseSections(text: string | null): Section[] | null {
  return text === null ? null : sections.parse(JSON.parse(text));
}

export const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS);
export const isSameSpan = (a: Span, b: Span): boolean => spanName(a) === spanName(b);
export const spanName = ({ of, fromHour, toHour }: Span): string => `${of} ${fromHour} ${toHour}`;

export function isWithin(inner: Span, outer: Span): boolean {
  return inner.of === outer.of && inner.fromHour >= outer.fromHour && inner.toHour <= outer.toHour;
}

/** The span of the UTC days that it touches. */
function inDays({ of, fromHour, toHour }: Span): Span {
  return {
    of,
    fromHour: Math.floor(fromHour / HOURS_A_DAY) * HOURS_A_DAY,
    toHour: Math.ceil(toHour / HOURS_A_DAY) * HOURS_A_DAY,
  };
}

/** Hours of today, of yesterday and ahead stay hours; those before are days. */
export function settledSpan(span: Span, nowMs: number): Span {
  const days = inDays(span);
  const yesterday = (Math.floor(hourOf(nowMs) / HOURS_A_DAY) - 1) * HOURS_A_DAY;
  return days.fromHour < yesterday ? days : span;
}

/** Where the key of an event goes: by the hour of `ts` as sent, else by the day of receipt. */
export function spanOf(sentHour: number | null, receivedMs: number, nowMs: number): Span {
  if (sentHour === null) {
    const hour = hourOf(receivedMs);
    return inDays({ of: 'received', fromHour: hour, toHour: hour + 1 });
  }
  return settledSpan({ of: 'sent', fromHour: sentHour, toHour: sentHour + 1 }, nowMs);
}

/** Whether a section may hold the key of an event that was sent in this hour. */
export function covers({ of, fromHour, toHour }: Span, sentHour: number | null): boolean {
  if (sentHour === null) return of === 'received';
  return of === 'sent' && fromHour <= sentHour && sentHour < toHour;
}

type Sized = Span & { keys: number };

function joinedSpan(spans: readonly Span[], of: Span['of']): Span {
  const alike = spans.filter((span) => span.of === of);
  return {
    of,
    fromHour: alike.reduce((min, { fromHour }) => Math.min(min, fromHour), Infinity),
    toHour: alike.reduce((max, { toHour }) => Math.max(max, toHour), -Infinity),
  };
}

/**
 * Joins the smallest spans until at most `limit` are left: into days, or where those are too many
 * into one for each kind of time. Only clocks that are far off, and long queues, make so many.
 */
export function limitSpans(spans: readonly Sized[], limit: number): (span: Span) => Span {
  if (spans.length <= limit) return (span) => span;
  const bySize = spans.toSorted((a, b) => b.keys - a.keys);
  const kept = new Set(bySize.slice(0, limit / 2).map(spanName));
  const others = bySize.slice(limit / 2);
  const days = new Set(others.map((span) => spanName(inDays(span))));
  const all = { sent: joinedSpan(others, 'sent'), received: joinedSpan(others, 'received') };
  const joined = days.size <= limit / 2 ? inDays : (span: Span) => all[span.of];
  return (span) => (kept.has(spanName(span)) ? span : joined(span));
}
