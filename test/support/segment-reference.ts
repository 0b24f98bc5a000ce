import { isMeant } from './conditions-reference.ts';
import type { PlainEvent } from './stitched-events.ts';

/** Rules about people once more, by plain loops over their events; slow, and shares no code. */
type Clause = Record<string, any>;

export type SegmentWorld = {
  plain: readonly PlainEvent[];
  /** Rules by the id of their segment. */
  segments: Readonly<Record<string, any>>;
  entitled: Readonly<Record<string, readonly string[]>>;
  nowUs: number;
  beforeUs: number;
  /** First events are known from their own moment on. */
  isAtEvent?: boolean;
  /** When a day begins; in UTC when left out. */
  dayUs?: (day: string) => number;
};

const DAY_US = 86_400_000_000;
const dayInUtc = (day: string) => Date.parse(`${day}T00:00:00Z`) * 1_000;

function periodStart(period: Clause, { nowUs, dayUs = dayInUtc }: SegmentWorld): number {
  if (period.withinDays !== undefined) return nowUs - period.withinDays * DAY_US;
  return period.since === undefined ? -Infinity : dayUs(period.since);
}

const periodEnd = ({ before }: Clause, { dayUs = dayInUtc }: SegmentWorld): number =>
  before === undefined ? Infinity : dayUs(before);

function clauseHolds(clause: Clause, person: string, world: SegmentWorld): boolean {
  const own = world.plain.filter(
    (one) => one.person === person && one.row.occurredAtUs < world.beforeUs,
  );
  const counted = clause.did ?? clause.didNot;
  if (counted !== undefined) {
    let times = 0;
    for (const { row } of own) {
      if (counted.events !== undefined && !counted.events.includes(row.name)) continue;
      if (!isMeant(row, counted.where)) continue;
      if (row.occurredAtUs < periodStart(clause, world)) continue;
      if (row.occurredAtUs < periodEnd(clause, world)) times += 1;
    }
    if (clause.didNot) return times === 0;
    if (clause.exactly !== undefined) return times === clause.exactly;
    if (clause.atMost !== undefined) return times <= clause.atMost;
    return times >= (clause.atLeast ?? 1);
  }
  if (clause.firstSeen) {
    const ever = world.plain.filter((one) => one.person === person);
    const first = Math.min(...(world.isAtEvent ? ever : own).map(({ row }) => row.occurredAtUs));
    const { before, after, withinDays } = clause.firstSeen;
    const { dayUs = dayInUtc } = world;
    return (
      (before === undefined || first < dayUs(before)) &&
      (after === undefined || first >= dayUs(after)) &&
      (withinDays === undefined || first >= world.nowUs - withinDays * DAY_US)
    );
  }
  if (clause.entitled !== undefined) {
    return (
      world.entitled[clause.entitlement ?? clause.productId ?? '']!.includes(person) ===
      clause.entitled
    );
  }
  return isInSegment(world.segments[clause.segment], person, world) === (clause.is ?? true);
}

export function isInSegment(rule: any, person: string, world: SegmentWorld): boolean {
  return rule.all
    ? rule.all.every((clause: Clause) => clauseHolds(clause, person, world))
    : rule.any.some((clause: Clause) => clauseHolds(clause, person, world));
}

/** By id, among those with an event of clients. */
export function peopleOfSegment(rule: any, world: SegmentWorld): string[] {
  const people = new Set<string>();
  for (const { person, row } of world.plain) {
    if (row.occurredAtUs < world.beforeUs) people.add(person);
  }
  return [...people].filter((person) => isInSegment(rule, person, world)).toSorted();
}
