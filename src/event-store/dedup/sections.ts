import { type Static, Type } from '@sinclair/typebox';
import { OneOf, parser } from '../../shared/schema.ts';
import { HOUR_MS } from '../../shared/time.ts';

const HOURS_A_DAY = 24;

const Span = Type.Object({
  /** `ts` as sent, which retries repeat, or receipt without one. */
  of: OneOf(['sent', 'received']),
  /** Hours since 1970, `toHour` exclusive. */
  fromHour: Type.Integer(),
  toHour: Type.Integer(),
});
export type Span = Static<typeof Span>;

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

/** Null for runs of earlier releases: keys of any time. */
export function parseSections(text: string | null): Section[] | null {
  return text === null ? null : sections.parse(JSON.parse(text));
}

export const hourNumber = (ms: number): number => Math.floor(ms / HOUR_MS);
export const isSameSpan = (a: Span, b: Span): boolean => spanName(a) === spanName(b);
export const spanName = ({ of, fromHour, toHour }: Span): string => `${of} ${fromHour} ${toHour}`;

export function isWithin(inner: Span, outer: Span): boolean {
  return inner.of === outer.of && inner.fromHour >= outer.fromHour && inner.toHour <= outer.toHour;
}

function toDays({ of, fromHour, toHour }: Span): Span {
  return {
    of,
    fromHour: Math.floor(fromHour / HOURS_A_DAY) * HOURS_A_DAY,
    toHour: Math.ceil(toHour / HOURS_A_DAY) * HOURS_A_DAY,
  };
}

/** Hours from yesterday on; days before. */
export function settledSpan(span: Span, nowMs: number): Span {
  const days = toDays(span);
  const yesterday = (Math.floor(hourNumber(nowMs) / HOURS_A_DAY) - 1) * HOURS_A_DAY;
  return days.fromHour < yesterday ? days : span;
}

export function toSpan(sentHour: number | null, receivedMs: number, nowMs: number): Span {
  if (sentHour === null) {
    const hour = hourNumber(receivedMs);
    return toDays({ of: 'received', fromHour: hour, toHour: hour + 1 });
  }
  return settledSpan({ of: 'sent', fromHour: sentHour, toHour: sentHour + 1 }, nowMs);
}

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

/** Only needed with wrong clocks and long offline queues. */
export function limitSpans(spans: readonly Sized[], limit: number): (span: Span) => Span {
  if (spans.length <= limit) return (span) => span;
  const bySize = spans.toSorted((a, b) => b.keys - a.keys);
  const kept = new Set(bySize.slice(0, limit / 2).map(spanName));
  const others = bySize.slice(limit / 2);
  const days = new Set(others.map((span) => spanName(toDays(span))));
  const all = { sent: joinedSpan(others, 'sent'), received: joinedSpan(others, 'received') };
  const joined = days.size <= limit / 2 ? toDays : (span: Span) => all[span.of];
  return (span) => (kept.has(spanName(span)) ? span : joined(span));
}
