import { type Static, Type } from '@sinclair/typebox';
import { Nullable, parser } from '../../shared/schema.ts';

const Count = Type.Integer({ minimum: 1 });
const ValueCounts = Type.Array(Type.Tuple([Nullable(Type.String()), Count]));

/** All but production events from clients count in `reserved`. */
export const RangeCounts = Type.Object({
  names: Type.Array(Type.Tuple([Type.String(), Count])),
  platforms: ValueCounts,
  versions: ValueCounts,
  firstAtUs: Nullable(Type.Integer()),
  lastAtUs: Nullable(Type.Integer()),
  reserved: Type.Integer({ minimum: 0 }),
});
export type RangeCounts = Static<typeof RangeCounts>;

const rangeCounts = parser(RangeCounts, 'counts of an event file');

/** Null when the file was not counted. */
export function parseCounts(text: string | null): RangeCounts | null {
  return text === null ? null : rangeCounts.parse(JSON.parse(text));
}
