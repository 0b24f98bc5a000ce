import type { AppContext, SystemContext } from '../../context.ts';
import { checkLimit } from '../../shared/app-limits.ts';
import type { AppScope } from '../../shared/app.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { lockSubject } from '../../storage/locks.ts';
import type { Tx } from '../../storage/postgres.ts';
import { neverSentHint, type QueriedName } from '../events/index.ts';
import * as model from './model.ts';
import * as queries from './queries.ts';

export async function listFunnels({ deps, scope }: AppContext<'sql'>): Promise<model.Funnel[]> {
  return queries.funnelRows.all(deps.sql, scope);
}

/** Serializes changes of an app, so that limits and the one default hold. */
async function lockedFunnels(tx: Tx, scope: AppScope): Promise<model.Funnel[]> {
  await lockSubject(tx, 'funnels', scope.appId);
  return queries.funnelRows.all(tx, scope);
}

export const namedByStep = ({ event, where }: model.FunnelStep, index: number): QueriedName => ({
  step: index + 1,
  event,
  ...where,
});

type Changing = AppContext<'clock' | 'log' | 'queries' | 'sql'>;

const withHint = async (ctx: Changing, funnel: model.Funnel): Promise<model.Funnel> => ({
  ...funnel,
  ...(await neverSentHint(ctx, funnel.steps.map(namedByStep), 'all')),
});

/** The first becomes the default. */
export async function createFunnel(ctx: Changing, input: model.NewFunnel): Promise<model.Funnel> {
  const { deps, scope } = ctx;
  const now = deps.clock();
  const created = await deps.sql.begin(async (tx) => {
    const present = await lockedFunnels(tx, scope);
    checkLimit(present.length, model.FUNNELS_PER_APP_MAX, 'funnels');
    const isDefault = input.isDefault || !present.some((funnel) => funnel.isDefault);
    if (isDefault) await queries.clearDefault(tx, scope, now);
    const made = { id: newId('fun'), at: now };
    return queries.funnelRows.insert(tx, scope, made, { ...input, isDefault });
  });
  return withHint(ctx, created);
}

/** No-op for an app with any funnel. */
export async function createDefaultFunnel(tx: Tx, scope: AppScope, now: Date): Promise<void> {
  await lockSubject(tx, 'funnels', scope.appId);
  await queries.insertOnboardingFunnel(tx, scope, now);
}

/** A default that steps down passes it to the oldest other. */
export async function editFunnel(
  ctx: Changing,
  { funnelId, change }: { funnelId: string; change: model.FunnelChange },
): Promise<model.Funnel> {
  const { deps, scope } = ctx;
  const now = deps.clock();
  const edited = await deps.sql.begin(async (tx) => {
    const present = await lockedFunnels(tx, scope);
    const current = present.find(({ id }) => id === funnelId);
    if (!current) return null;
    if (change.isDefault && !current.isDefault) await queries.clearDefault(tx, scope, now);
    const isDefault = present.length === 1 || (change.isDefault ?? current.isDefault);
    const funnel = { ...current, ...change, isDefault };
    const edited = await queries.funnelRows.update(tx, scope, funnel, now);
    if (current.isDefault && !isDefault) await queries.promoteOldest(tx, scope, now, funnelId);
    return edited;
  });
  if (!edited) throw notFound();
  return withHint(ctx, edited);
}

export async function deleteFunnel(
  { deps, scope }: AppContext<'clock' | 'sql'>,
  { funnelId }: { funnelId: string },
): Promise<void> {
  await deps.sql.begin(async (tx) => {
    const present = await lockedFunnels(tx, scope);
    if (!(await queries.funnelRows.remove(tx, scope, funnelId))) throw notFound();
    const wasDefault = present.some(({ id, isDefault }) => isDefault && id === funnelId);
    if (wasDefault) await queries.promoteOldest(tx, scope, deps.clock());
  });
}

export async function setFunnelWindow(
  { deps }: SystemContext<'clock' | 'sql'>,
  { appId, hours }: { appId: string; hours: number },
): Promise<{ appId: string; windowHours: number }> {
  if (!(await queries.upsertWindowHours(deps.sql, appId, hours, deps.clock()))) {
    throw new AppError('not_found', `There is no app "${appId}".`);
  }
  return { appId, windowHours: hours };
}
