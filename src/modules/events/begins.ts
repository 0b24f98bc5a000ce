import type { AppContext } from '../../context.ts';
import type { Selected } from '../../query/selection/selected.ts';
import type { EnvironmentScope } from '../../shared/environment.ts';
import { type Forecast, forecast } from '../../shared/statistics/forecast.ts';
import { judge } from '../../shared/statistics/verdict.ts';
import { filesBegin } from './queries.ts';

export const NOTHING_TO_COMPARE =
  'Most of the window before lies before the first event of the app, so nothing is compared with it.';

type Before = { fromMs: number; toMs: number; environment: EnvironmentScope };

export type Beginning = Before & { selection: Selected };

export async function firstEventMs(
  { deps, orgId, app, signal }: AppContext<'queries'>,
  { selection: { events, where }, environment, fromMs, toMs }: Beginning,
): Promise<number | null> {
  const { firstAtUs } = await deps.queries.ask(
    'first-event',
    {
      ...{ orgId, appId: app.id, environment, names: events ?? null },
      ...(where && { where }),
      ...{ fromUs: fromMs * 1_000, beforeUs: toMs * 1_000 },
    },
    { signal },
  );
  return firstAtUs === null ? null : firstAtUs / 1_000;
}

/** The catalogue suffices for all but young apps. */
export async function coversMost(
  ctx: AppContext<'queries' | 'sql'>,
  { fromMs, toMs, environment }: Before,
): Promise<boolean> {
  const middleMs = (fromMs + toMs) / 2;
  const { scope } = ctx;
  if (await filesBegin(ctx.deps.sql, scope, new Date(middleMs))) return true;
  const before = { selection: {}, environment, fromMs: 0, toMs: Math.floor(middleMs) };
  return (await firstEventMs(ctx, before)) !== null;
}

/** Null at fifty people. */
export async function forecastFor(
  ctx: AppContext<'queries'>,
  { people, nowMs, ...beginning }: Beginning & { people: number; nowMs: number },
): Promise<Forecast | null> {
  if (judge(people) === 'ready') return null;
  const { fromMs, toMs } = beginning;
  const firstMs = await firstEventMs(ctx, beginning);
  return forecast({ people, firstMs, fromMs, toMs, nowMs });
}
