import type { AppContext } from '../../../context.ts';
import * as funnel from '../../../query/funnel/model.ts';
import { invalidInput } from '../../../shared/errors.ts';
import { HOUR_MS } from '../../../shared/time.ts';
import { windowHours } from '../../funnels/index.ts';
import { ARM, byArm, type Named, toDimensions } from '../resolve/breakdown.ts';
import { inApp, type Resolved } from '../resolve/resolved.ts';
import type { FunnelQuestion } from './question.ts';
import { type ReportWindow, resolveWindow } from './window.ts';

export type PlannedFunnel = {
  window: ReportWindow;
  conversionWindowHours: number;
  by: Named<funnel.FunnelBreakdownBy> | null;
  rules: funnel.FunnelRules;
};

/** Bits of one number tell steps and exclusions apart. */
function toExclusions({ exclusions = [], steps, order }: FunnelQuestion) {
  const most = funnel.MAX_FUNNEL_STEPS - steps.length - (order === 'strict' ? 1 : 0);
  if (exclusions.length > Math.max(0, most) || most < 0) {
    throw invalidInput('exclusions', `and steps are at most ${funnel.MAX_FUNNEL_STEPS} together`);
  }
  return exclusions.map(({ selection, after, before }, index) => {
    const place = `exclusions[${index}]`;
    if (before <= after) throw invalidInput(`${place}.before`, 'must be a step later than after');
    if (before > steps.length) throw invalidInput(`${place}.before`, 'must be one of the steps');
    return { events: selection, from: after - 1, to: before - 1 };
  });
}

function toOrder(question: FunnelQuestion) {
  const { order = 'in_order', breakdown } = question;
  const exclusions = toExclusions(question);
  if (breakdown === ARM && (exclusions.length > 0 || order !== 'in_order')) {
    throw invalidInput('breakdown', 'by arm has steps in order and no exclusions');
  }
  if (exclusions.length > 0 && order === 'any') {
    throw invalidInput('exclusions', 'need steps in order');
  }
  return {
    ...(exclusions.length > 0 && { exclusions }),
    ...(order === 'strict' && { isStrict: true }),
    ...(order === 'any' && { isAnyOrder: true }),
  };
}

function toBreakdown(resolved: Resolved<FunnelQuestion>): PlannedFunnel['by'] {
  if (resolved.question.breakdown === ARM) {
    return byArm(resolved.experiment, 'breakdown', (of) => ({
      ...{ kind: 'arm', ...of, exposedOnly: false },
    }));
  }
  return toDimensions(resolved)[0] ?? null;
}

export async function planFunnel(
  ctx: AppContext<'sql'>,
  resolved: Resolved<FunnelQuestion>,
): Promise<PlannedFunnel> {
  const { question, timezone, now } = resolved;
  const { steps, where, people, exclusions = [] } = question;
  const order = toOrder(question);
  const window = resolveWindow(question, timezone, now);
  const { scope } = ctx;
  const hours = question.windowHours ?? (await windowHours(ctx.deps.sql, scope));
  const excluded = exclusions.map(({ selection }) => selection);
  return {
    window,
    conversionWindowHours: hours,
    by: toBreakdown(resolved),
    rules: {
      ...inApp(ctx, resolved, [...steps, question, ...excluded]),
      ...{ steps, filters: {}, ...(where && { where }), ...order },
      fromUs: window.fromMs * 1_000,
      startBeforeUs: window.startBeforeMs * 1_000,
      windowUs: hours * HOUR_MS * 1_000,
      ...(people === 'new' && { newPeopleOnly: true }),
    },
  };
}
