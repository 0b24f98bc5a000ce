import type { AppContext } from '../../context.ts';
import { type Dimension, parseDimension, givenValues } from '../../query/selection/dimension.ts';
import { invalidInput } from '../../shared/errors.ts';
import { daysBack } from '../events/index.ts';
import type { BreakdownBy } from './breakdown.model.ts';

export const ARM = 'arm';

type Breakdown = BreakdownBy | BreakdownBy[] | undefined;

const toPlaced = (breakdown: Breakdown, place: string): { by: BreakdownBy; place: string }[] => {
  if (breakdown === undefined) return [];
  if (!Array.isArray(breakdown)) return [{ by: breakdown, place }];
  return breakdown.map((by, index) => ({ by, place: `${place}[${index}]` }));
};

export function checkBreakdown(breakdown: Breakdown, place = 'breakdown'): void {
  for (const { by, place: own } of toPlaced(breakdown, place)) {
    if (typeof by === 'string') continue;
    const { bounds } = by;
    const wrong = bounds?.findIndex((bound, index) => bound <= (bounds[index - 1] ?? -Infinity));
    if (wrong !== undefined && wrong > -1) {
      throw invalidInput(`${own}.bounds[${wrong}]`, 'must be greater than the one before');
    }
  }
}

/** Values are shown by their names. */
export type ResolvedBreakdown = { by: Dimension; nameOf: (value: string) => string };

const sameName = (value: string): string => value;

async function byArm(
  { deps, orgId, app }: AppContext<'clock' | 'latestExperiment'>,
  place: string,
): Promise<ResolvedBreakdown> {
  const experiment = await deps.latestExperiment({ orgId, appId: app.id });
  if (!experiment) throw invalidInput(place, 'arm needs an experiment that was started');
  const names = new Map(experiment.arms.map((arm) => [arm.id, arm.name]));
  return {
    by: {
      kind: 'inArm',
      experimentId: experiment.id,
      exposedFromUs: Date.parse(experiment.startedAt) * 1_000,
      exposedBeforeUs: daysBack(deps.clock(), 0).beforeMs * 1_000,
    },
    nameOf: (value) => names.get(value) ?? value,
  };
}

export async function resolveBreakdowns(
  ctx: AppContext<'clock' | 'latestExperiment'>,
  breakdown: Breakdown,
): Promise<ResolvedBreakdown[]> {
  checkBreakdown(breakdown);
  const asked: ResolvedBreakdown[] = [];
  for (const { by, place } of toPlaced(breakdown, 'breakdown')) {
    if (by === ARM) asked.push(await byArm(ctx, place));
    else if (typeof by === 'string') asked.push({ by: parseDimension(by), nameOf: sameName });
    else {
      const { property, bounds = null } = by;
      asked.push({ by: { kind: 'prop', prop: property, bounds }, nameOf: sameName });
    }
  }
  return asked;
}

export const nameGroups = <T extends { value: string | null }>(
  groups: readonly T[],
  by: Pick<ResolvedBreakdown, 'nameOf'> | undefined,
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
