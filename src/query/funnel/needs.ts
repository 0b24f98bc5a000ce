import { EXPOSURE_EVENT } from '../../shared/exposure-event.ts';
import { type AppSelection, named } from '../selection/selection.ts';
import { type FunnelRules, type Step, stepsBeforeUs } from './model.ts';
import { type FunnelPlan, planFunnel } from './plan.ts';
import { maskedBy, stepColumns, stepNames } from './steps.ts';

const FUNNEL_COLUMNS = [
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

export const funnelColumns = (
  rules: FunnelRules,
  { columns }: Pick<FunnelPlan, 'columns'> = planFunnel(rules),
): string[] => [...new Set([...FUNNEL_COLUMNS, ...columns])];

export const armFunnelColumns = (rules: FunnelRules, more: readonly Step[] = []): string[] => [
  ...new Set([...funnelColumns(rules), ...stepColumns(more), ...ARM_COLUMNS]),
];

export function funnelSelection(
  rules: FunnelRules,
  names: readonly string[] | null = stepNames(maskedBy(rules)),
): AppSelection {
  const { orgId, appId, environment, newPeopleOnly = false, fromUs } = rules;
  const scope = { orgId, appId, environment, beforeUs: stepsBeforeUs(rules) };
  return newPeopleOnly ? scope : { ...scope, ...named(names), fromUs };
}

export function armSelection(
  rules: FunnelRules,
  exposedFromUs: number,
  more: readonly Step[] = [],
): AppSelection {
  const names = stepNames([...maskedBy(rules), ...more]);
  const selection = funnelSelection(rules, names && [...names, EXPOSURE_EVENT]);
  // Exposures are no events of clients.
  return { ...selection, ofClients: false, fromUs: Math.min(selection.fromUs ?? 0, exposedFromUs) };
}
