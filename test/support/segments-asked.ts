import type { SegmentRule } from '../../src/modules/segments/model.ts';
import { resolveRule } from '../../src/modules/segments/rules/resolve-rule.ts';
import type { Membership } from '../../src/query/selection/segment-rules.ts';
import { type Axis, type DrawnSegments, daysOf, microseconds } from './random-questions.ts';
import { entitledMap } from './random-segments.ts';
import { isInSegment, peopleOfSegment } from './segment-reference.ts';
import type { PlainEvent } from './stitched-events.ts';

/** Later than all events. */
const FOREVER_US = 4_102_444_800_000_000;
/** An event may be ahead of the clock. */
const AHEAD_SECONDS = 600;

/** As routes resolve the segments that a question names. */
export function membershipsOf({ rules, entitled, now }: DrawnSegments, axis: Axis): Membership[] {
  const { seg_a, seg_b, seg_c } = rules;
  const resolving = {
    ...{ nowUs: microseconds(now), timezone: axis.timezone, startsUs: new Map() },
    rules: new Map<string, SegmentRule>([['seg_b', seg_b]]),
    entitled: entitledMap(entitled),
  };
  const beforeUs = microseconds(now + AHEAD_SECONDS);
  return [
    { id: 'seg_a', asOf: 'now', beforeUs, rules: resolveRule(seg_a, resolving) },
    { id: 'seg_b', asOf: 'now', beforeUs, rules: resolveRule(seg_b, resolving) },
    {
      id: 'seg_c@event',
      asOf: 'event',
      beforeUs: FOREVER_US,
      rules: resolveRule(seg_c, resolving),
    },
  ];
}

/** Rows with the segments that their person is in, and was in then; by plain loops. */
export function withSegments(
  plain: readonly PlainEvent[],
  { rules, entitled, now }: DrawnSegments,
  axis: Axis,
): PlainEvent[] {
  const days = daysOf(axis);
  const dayUs = (day: string) => microseconds(days.get(day)!);
  const segments = { seg_b: rules.seg_b };
  const beforeUs = microseconds(now + AHEAD_SECONDS);
  const world = { plain, segments, entitled, nowUs: microseconds(now), beforeUs, dayUs };
  const members = (['seg_a', 'seg_b'] as const).map(
    (id) => [id, new Set(peopleOfSegment(rules[id], world))] as const,
  );
  return plain.map(({ person, row }) => {
    const own = members.flatMap(([id, people]) => (people.has(person) ? [id] : []));
    const at = row.occurredAtUs;
    const then = { plain, segments, entitled, nowUs: at, beforeUs: at, dayUs, isAtEvent: true };
    const was = isInSegment(rules.seg_c, person, then);
    return {
      person,
      row: { ...row, memberOf: new Set<string>([...own, ...(was ? ['seg_c then'] : [])]) },
    };
  });
}
