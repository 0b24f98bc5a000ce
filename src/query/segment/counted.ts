import { type Held, heldFor } from '../reading/projection/held.ts';
import { type FileFacts, isInside } from '../reading/source/files.ts';
import { compileConditions } from '../selection/row-test.ts';
import type { Membership } from '../selection/segment-rules.ts';
import { admitsIdle, allClauses, isDid } from './needs.ts';

export type CountedEvents = Pick<
  Extract<ReturnType<typeof allClauses>[number], { kind: 'did' }>,
  'beforeUs' | 'fromUs' | 'names' | 'where'
>;

export type CountedOfPeople = {
  did: readonly CountedEvents[];
  beforeUs: number;
  events: 'any' | 'counted' | 'first';
};

type Asked = Pick<Membership, 'beforeUs' | 'rules'>;

export function planCounts({ rules, beforeUs }: Asked): CountedOfPeople {
  const clauses = allClauses(rules);
  const hasFirst = clauses.some(({ kind }) => kind === 'firstSeen');
  const others = admitsIdle(rules) ? 'any' : 'counted';
  return {
    did: clauses.filter(isDid).map(({ names, where, fromUs, beforeUs: untilUs }) => {
      const before = Math.min(untilUs ?? beforeUs, beforeUs);
      return { names, fromUs, beforeUs: before, ...(where && { where }) };
    }),
    beforeUs,
    events: hasFirst ? 'first' : others,
  };
}

export function heldForMembers({ asOf, rules }: Pick<Membership, 'asOf' | 'rules'>): Held | null {
  const clauses = allClauses(rules);
  const isHeld = clauses.every(({ kind }) => kind !== 'arm' && kind !== 'first');
  if (asOf === 'event' || !isHeld) return null;
  return heldFor(
    clauses.filter(isDid).map(({ names, where }) => ({
      test: where ? compileConditions(where) : null,
      events: names,
    })),
  );
}

export type Window = { fromUs: number; beforeUs: number };

export function windowOver(
  { fromUs, beforeUs }: Window,
  file: Pick<FileFacts, 'maxOccurredAt' | 'minOccurredAt'>,
): 'all' | 'none' | 'some' {
  const { minOccurredAt, maxOccurredAt } = file;
  const [firstUs, endUs] = [minOccurredAt.getTime() * 1_000, maxOccurredAt.getTime() * 1_000];
  if (firstUs >= beforeUs || endUs <= fromUs) return 'none';
  return isInside(file, { fromUs, beforeUs }) ? 'all' : 'some';
}

export const listWindows = ({ did, beforeUs }: CountedOfPeople): Window[] => [
  { fromUs: -Infinity, beforeUs },
  ...did.map((one) => ({
    fromUs: one.fromUs ?? -Infinity,
    beforeUs: one.beforeUs ?? beforeUs,
  })),
];
