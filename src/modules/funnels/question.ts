import type { AppContext } from '../../context.ts';
import type { FunnelRules } from '../../query/funnel/model.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { notFound } from '../../shared/errors.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { resolveTimezone } from '../app-settings/index.ts';
import { toFilters } from '../events/index.ts';
import type { Funnel } from './model.ts';
import { findFunnel, windowHours } from './queries.ts';
import type { FunnelParameters } from './report-query.ts';
import { type ReportWindow, resolveWindow } from './window.ts';

export type Question = {
  funnel: Funnel;
  window: ReportWindow;
  conversionWindowHours: number;
  computedAt: Date;
  rules: FunnelRules;
};

const toUs = (ms: number): number => ms * 1_000;

export async function prepareQuestion(
  ctx: AppContext<'clock' | 'sql'>,
  funnelId: string,
  selection: FunnelParameters,
): Promise<Question> {
  const { deps, orgId, app } = ctx;
  const scope = { orgId, appId: app.id };
  const computedAt = deps.clock();
  const timezone = await resolveTimezone(ctx, selection.timezone);
  const window = resolveWindow(selection, timezone, computedAt);
  const [funnel, settingHours] = await Promise.all([
    findFunnel(deps.sql, scope, funnelId),
    windowHours(deps.sql, scope),
  ]);
  if (!funnel) throw notFound();
  const conversionWindowHours = selection.windowHours ?? settingHours;
  const rules: FunnelRules = {
    ...scope,
    steps: funnel.steps.map(({ event, where }) => ({ event, ...(where && { where }) })),
    fromUs: toUs(window.fromMs),
    startBeforeUs: toUs(window.startBeforeMs),
    windowUs: toUs(conversionWindowHours * HOUR_MS),
    environment: selection.environment ?? DEFAULT_SCOPE,
    filters: toFilters(selection),
    ...(selection.people === 'new' && { newPeopleOnly: true }),
  };
  return { funnel, window, conversionWindowHours, computedAt, rules };
}
