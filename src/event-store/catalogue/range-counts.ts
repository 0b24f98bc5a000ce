import { type Static, Type } from '@sinclair/typebox';
import { Nullable, parser } from '../../shared/schema.ts';

const Count = Type.Integer({ minimum: 1 });
const Counted = Type.Array(Type.Tuple([Nullable(Type.String()), Count]));

/**
 * How many of an app's events in one file have each value. Only those of production that clients
 * sent; the others, with the service's own (`$…`), are just numbered in `reserved`. Sums of files
 * make the sums of a window.
 */
export const RangeCounts = Type.Object({
  names: Type.Array(Type.Tuple([Type.String(), Count])),
  platforms: Counted,
  versions: Counted,
  firstAtUs: Nullable(Type.Integer()),
  lastAtUs: Nullable(Type.Integer()),
  reserved: Type.Integer({ minimum: 0 }),
});
export type RangeCounts = Static<typeof RangeCounts>;

const rangeCounts = parser(RangeCounts, 'counts of an event file');

/** From the catalogue's text; null when the file was not counted. */
export function parseCounts(text: string | null): RangeCounts | null {
  return text === null ? null : rangeCounts.parse(JSON.parse(text));
}
