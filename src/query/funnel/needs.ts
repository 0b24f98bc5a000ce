import { EXPOSURE_EVENT } from '../../shared/exposure-event.ts';
import type { AppSelection } from '../selection/selection.ts';
import { type FunnelRules, stepsBeforeUs } from './model.ts';
import { type Step, stepNames } from './steps.ts';

/** Every column that a funnel can filter or break down by, or count with. */
export const FUNNEL_COLUMNS = [
  'name',
  'occurred_at',
  'arrival',
  'batch_index',
  'platform',
  'app_version',
  'country',
  'props',
];

/** Columns of receipt, by which exposures are measured. */
export const ARM_COLUMNS = ['received_at', 'arrival'];

export const ARM_FUNNEL_COLUMNS = [...new Set([...FUNNEL_COLUMNS, ...ARM_COLUMNS])];

/** All events that a funnel reads: with new people only, everything before its window too. */
export function funnelSelection(
  rules: FunnelRules,
  names: readonly string[] = stepNames(rules.steps),
): AppSelection {
  const { orgId, appId, environment, newPeopleOnly = false, fromUs } = rules;
  const scope = { orgId, appId, environment, beforeUs: stepsBeforeUs(rules) };
  return newPeopleOnly ? scope : { ...scope, names, fromUs };
}

/** With the exposures since `exposedFromUs`, which assign people to arms. */
export function armSelection(
  rules: FunnelRules,
  exposedFromUs: number,
  more: readonly Step[] = [],
): AppSelection {
  const names = [...stepNames([...rules.steps, ...more]), EXPOSURE_EVENT];
  const selection = funnelSelection(rules, names);
  return { ...selection, fromUs: Math.min(selection.fromUs ?? 0, exposedFromUs) };
}
