import { EXPOSURE_EVENT } from '../../shared/exposure-event.ts';
import { type Held, heldFor } from '../reading/projection/held.ts';
import { allSql } from '../selection/condition-sql.ts';
import { dimensionSql } from '../selection/dimension.ts';
import { compileRowTest, compileConditions } from '../selection/row-test.ts';
import type { Selected } from '../selection/selected.ts';
import {
  conditionsOfEvents,
  type EventSelection,
  named,
  type AppSelection,
} from '../selection/selection.ts';
import { armMaskSql } from './arm-rule.ts';
import type { FoldRules } from './fold.ts';
import { type FunnelQuestion, type FunnelRules, stepsBeforeUs, type Step } from './model.ts';
import { packSql } from './packed.ts';
import { exclusionRules, maskedBy, maskSql, selectedBy, stepColumns, stepNames } from './steps.ts';

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

/** Made once; threads get all of it. */
export type FunnelPlan = {
  steps: readonly Selected[];
  /** Until the time to convert of the last start is over. */
  events: EventSelection & { fromUs: number; beforeUs: number };
  fold: FoldRules;
  breakdown: FunnelQuestion['breakdown'];
  trendFromUs: FunnelQuestion['trendFromUs'];
  isDistributed: boolean;
  newPeopleOnly: boolean;
  isFiltered: boolean;
  /** Null where projections cannot answer. */
  held: Held | null;
  entry: Pick<FunnelRules, 'filters' | 'where'>;
  packed: string;
  /** Null without arms. */
  inArm: string | null;
  columns: readonly string[];
};

type Planned = FunnelRules &
  Partial<Pick<FunnelQuestion, 'breakdown' | 'isDistributed' | 'trendFromUs'>>;

function heldForFunnel(
  steps: readonly Selected[],
  { breakdown, newPeopleOnly = false, ...entry }: Planned & Pick<FunnelPlan, 'breakdown'>,
): Held | null {
  if (breakdown?.kind === 'arm') return null;
  const [first] = steps;
  const held = heldFor([
    ...steps.map(({ where, events = null }) => ({
      test: where ? compileConditions(where) : null,
      events,
    })),
    { test: compileRowTest(entry), by: breakdown, events: first?.events ?? null },
  ]);
  return held && newPeopleOnly ? { ...held, wantsAll: true } : held;
}

export function planFunnel(question: Planned): FunnelPlan {
  const { steps, fromUs, startBeforeUs, windowUs, filters, where } = question;
  const { breakdown = null, trendFromUs = null, isDistributed = false } = question;
  const { newPeopleOnly = false, firstStartOnly = false, isAnyOrder = false } = question;
  const masked = maskedBy(question);
  const exclusions = exclusionRules(question);
  const fold = {
    ...{ stepCount: steps.length, windowUs, startBeforeUs: startBeforeUs - fromUs },
    ...{ firstStartOnly, exclusions, isAnyOrder },
  };
  const entry = allSql(conditionsOfEvents(question));
  const isFiltered = entry.condition !== null;
  const mask = maskSql(masked);
  const selections = steps.map(selectedBy);
  const by = breakdown === null || breakdown.kind === 'arm' ? [] : [dimensionSql(breakdown).column];
  return {
    steps: selections,
    events: { ...named(stepNames(masked)), fromUs, beforeUs: stepsBeforeUs(question) },
    fold,
    breakdown,
    trendFromUs,
    isDistributed,
    newPeopleOnly,
    isFiltered,
    held:
      isAnyOrder || exclusions.length > 0
        ? null
        : heldForFunnel(selections, { ...question, breakdown }),
    entry: { filters, ...(where && { where }) },
    packed: packSql(fromUs, mask, entry.condition),
    inArm:
      breakdown?.kind === 'arm'
        ? packSql(fromUs, armMaskSql(mask, fold, breakdown.horizonUs), null)
        : null,
    columns: ['name', 'occurred_at', ...stepColumns(masked), ...entry.columns, ...by],
  };
}
