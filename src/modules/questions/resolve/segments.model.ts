import { type Static, Type } from '@sinclair/typebox';
import { SegmentId } from '../../../query/selection/conditions.ts';

const MAX_SEGMENTS_APART = 4;

export const SegmentsApart = Type.Array(SegmentId, {
  minItems: 1,
  maxItems: MAX_SEGMENTS_APART,
  uniqueItems: true,
  description:
    'Of one: who is in it and who is not; of several: who is in each. Without a breakdown.',
});

/** People whose figures are counted. */
export const OfSegment = Type.Object({ segment: Type.String(), is: Type.Boolean() });
export type OfSegment = Static<typeof OfSegment>;
