import { EXPOSURE_EVENT } from '../../shared/exposure-event.ts';
import type { AppSelection } from '../selection/selection.ts';
import { type FunnelRules, stepsBeforeUs } from './model.ts';
import { type Step, stepNames } from './steps.ts';

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

export const ARM_COLUMNS = ['received_at', 'arrival'];

export const ARM_FUNNEL_COLUMNS = [...new Set([...FUNNEL_COLUMNS, ...ARM_COLUMNS])];

export function funnelSelection(
  rules: FunnelRules,
  names: readonly string[] = stepNames(rules.steps),
): AppSelection {
  const { orgId, appId, environment, newPeopleOnly = false, fromUs } = rules;
  const scope = { orgId, appId, environment, beforeUs: stepsBeforeUs(rules) };
  return newPeopleOnly ? scope : { ...scope, names, fromUs };
}

export function armSelection(
  rules: FunnelRules,
  exposedFromUs: number,
  more: readonly Step[] = [],
): AppSelection {
  const names = [...stepNames([...rules.steps, ...more]), EXPOSURE_EVENT];
  const selection = funnelSelection(rules, names);
  return { ...selection, fromUs: Math.min(selection.fromUs ?? 0, exposedFromUs) };
}
