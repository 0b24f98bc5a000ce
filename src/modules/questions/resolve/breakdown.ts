import { type Dimension, givenValues, parseDimension } from '../../../query/selection/dimension.ts';
import { invalidInput } from '../../../shared/errors.ts';
import { daysBack } from '../../events/index.ts';
import type { BreakdownBy } from './breakdown.model.ts';
import type { Experiment, Resolved } from './resolved.ts';

export const ARM = 'arm';

export type Breakdown = BreakdownBy | BreakdownBy[] | undefined;

export const listBreakdowns = (
  breakdown: Breakdown,
  place = 'breakdown',
): { by: BreakdownBy; place: string }[] => {
  if (breakdown === undefined) return [];
  if (!Array.isArray(breakdown)) return [{ by: breakdown, place }];
  return breakdown.map((by, index) => ({ by, place: `${place}[${index}]` }));
};

export function checkBreakdown(breakdown: Breakdown, place: string): void {
  for (const { by, place: own } of listBreakdowns(breakdown, place)) {
    if (typeof by === 'string') continue;
    const { bounds } = by;
    const wrong = bounds?.findIndex((bound, index) => bound <= (bounds[index - 1] ?? -Infinity));
    if (wrong !== undefined && wrong > -1) {
      throw invalidInput(`${own}.bounds[${wrong}]`, 'must be greater than the one before');
    }
  }
}

/** Values are shown by their names. */
export type Named<By> = { by: By; nameOf: (value: string) => string };

const sameName = (value: string): string => value;

/** For breakdowns by the arms of an experiment that began. */
export function byArm<By>(
  experiment: Experiment | null,
  place: string,
  toDimension: (experiment: { experimentId: string; exposedFromUs: number }) => By,
): Named<By> {
  if (!experiment) throw invalidInput(place, 'arm needs an experiment that was started');
  const names = new Map(experiment.arms.map((arm) => [arm.id, arm.name]));
  const exposedFromUs = Date.parse(experiment.startedAt) * 1_000;
  return {
    by: toDimension({ experimentId: experiment.id, exposedFromUs }),
    nameOf: (value) => names.get(value) ?? value,
  };
}

export const toDimensions = ({
  question,
  experiment,
  now,
}: Pick<
  Resolved<{ breakdown?: Breakdown }>,
  'experiment' | 'now' | 'question'
>): Named<Dimension>[] =>
  listBreakdowns(question.breakdown).map(({ by, place }) => {
    if (by === ARM) {
      const exposedBeforeUs = daysBack(now, 0).beforeMs * 1_000;
      return byArm(experiment, place, (of) => ({ kind: 'inArm', ...of, exposedBeforeUs }));
    }
    if (typeof by === 'string') return { by: parseDimension(by), nameOf: sameName };
    const { property, bounds = null } = by;
    return { by: { kind: 'prop', prop: property, bounds }, nameOf: sameName };
  });

export const nameGroups = <T extends { value: string | null }>(
  groups: readonly T[],
  by: Pick<Named<Dimension>, 'nameOf'> | undefined,
): T[] =>
  groups.map((group) => {
    const { value } = group;
    return { ...group, value: value === null ? null : (by?.nameOf(value) ?? value) };
  });

export function inGivenOrder<T extends { value: string | null }>(
  groups: readonly T[],
  by: Dimension,
): T[] {
  const given = givenValues(by) ?? [];
  return groups.toSorted((a, b) => given.indexOf(a.value ?? '') - given.indexOf(b.value ?? ''));
}
