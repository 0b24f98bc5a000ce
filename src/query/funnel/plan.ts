import { filterSql, hasFilter } from '../selection/filters.ts';
import { isPlainName } from '../selection/property.ts';
import type { EventSelection } from '../selection/selection.ts';
import type { FoldRules } from './fold.ts';
import { type FunnelQuestion, type FunnelRules, type Step, stepsBeforeUs } from './model.ts';
import { packSql } from './packed.ts';
import { maskSql, stepNames } from './steps.ts';

/** A funnel's question, worked out once for whoever counts it; threads are told all of it. */
export type FunnelPlan = {
  steps: readonly Step[];
  /** Events that can count, until the time to convert of the last start is over. */
  events: EventSelection & { names: readonly string[]; fromUs: number; beforeUs: number };
  /** Times are microseconds from the start of `events`. */
  fold: FoldRules;
  breakdown: FunnelQuestion['breakdown'];
  trendFromUs: FunnelQuestion['trendFromUs'];
  newPeopleOnly: boolean;
  /** Filters on the step-1 event decide who counts. */
  isFiltered: boolean;
  /** Names, times and properties of steps are all that counts. */
  isProjectable: boolean;
  /** Bit i: the event matches step i + 1. */
  mask: string;
  /** Time, mask and whether the filters keep the event, in one number. */
  packed: string;
  /** Of `packed`. */
  columns: readonly string[];
};

type Planned = FunnelRules & Partial<Pick<FunnelQuestion, 'breakdown' | 'trendFromUs'>>;

export function planFunnel(question: Planned): FunnelPlan {
  const { steps, fromUs, startBeforeUs, windowUs, filters } = question;
  const { breakdown = null, trendFromUs = null, newPeopleOnly = false } = question;
  const isFiltered = hasFilter(filters);
  const filter = filterSql(filters);
  const mask = maskSql(steps);
  const properties = steps.flatMap(({ where }) => where ?? []);
  return {
    steps,
    events: { names: stepNames(steps), fromUs, beforeUs: stepsBeforeUs(question) },
    fold: { stepCount: steps.length, windowUs, startBeforeUs: startBeforeUs - fromUs },
    breakdown,
    trendFromUs,
    newPeopleOnly,
    isFiltered,
    isProjectable:
      breakdown === null && !newPeopleOnly && !isFiltered && properties.every(isPlainName),
    mask,
    packed: packSql(fromUs, mask, filter.condition),
    columns: [
      'name',
      'occurred_at',
      ...(properties.length > 0 ? ['props'] : []),
      ...filter.columns,
    ],
  };
}
