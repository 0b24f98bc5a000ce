import { filterSql, hasFilter } from '../selection/filters.ts';
import { isPlainName } from '../selection/property.ts';
import type { EventSelection } from '../selection/selection.ts';
import { armMaskSql } from './arm-rule.ts';
import type { FoldRules } from './fold.ts';
import { type FunnelQuestion, type FunnelRules, type Step, stepsBeforeUs } from './model.ts';
import { packSql } from './packed.ts';
import { maskSql, stepNames } from './steps.ts';

/** A funnel's question, worked out once for every way of counting; threads get all of it. */
export type FunnelPlan = {
  steps: readonly Step[];
  /** Events that can count, until the time to convert of the last start is over. */
  events: EventSelection & { names: readonly string[]; fromUs: number; beforeUs: number };
  fold: FoldRules;
  breakdown: FunnelQuestion['breakdown'];
  trendFromUs: FunnelQuestion['trendFromUs'];
  newPeopleOnly: boolean;
  isFiltered: boolean;
  isProjectable: boolean;
  /** Time, steps that the event matches, and whether the filters keep it, in one number. */
  packed: string;
  /** The same with the steps that the event can count for in the person's arm; null without arms. */
  inArm: string | null;
  columns: readonly string[];
};

type Planned = FunnelRules & Partial<Pick<FunnelQuestion, 'breakdown' | 'trendFromUs'>>;

export function planFunnel(question: Planned): FunnelPlan {
  const { steps, fromUs, startBeforeUs, windowUs, filters } = question;
  const { breakdown = null, trendFromUs = null } = question;
  const { newPeopleOnly = false, firstStartOnly = false } = question;
  const fold = {
    ...{ stepCount: steps.length, windowUs, startBeforeUs: startBeforeUs - fromUs },
    firstStartOnly,
  };
  const isFiltered = hasFilter(filters);
  const filter = filterSql(filters);
  const mask = maskSql(steps);
  const properties = steps.flatMap(({ where }) => where ?? []);
  return {
    steps,
    events: { names: stepNames(steps), fromUs, beforeUs: stepsBeforeUs(question) },
    fold,
    breakdown,
    trendFromUs,
    newPeopleOnly,
    isFiltered,
    isProjectable:
      breakdown === null && !newPeopleOnly && !isFiltered && properties.every(isPlainName),
    packed: packSql(fromUs, mask, filter.condition),
    inArm:
      breakdown?.kind === 'arm'
        ? packSql(fromUs, armMaskSql(mask, fold, breakdown.horizonUs), null)
        : null,
    columns: [
      'name',
      'occurred_at',
      ...(properties.length > 0 ? ['props'] : []),
      ...filter.columns,
    ],
  };
}
