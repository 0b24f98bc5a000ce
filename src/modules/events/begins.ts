import type { AppContext } from '../../context.ts';
import type { EnvironmentScope } from '../../shared/environment.ts';
import { filesBegin } from './queries.ts';

export const NOTHING_TO_COMPARE =
  'Most of the window before lies before the first event of the app, so nothing is compared with it.';

type Before = { fromMs: number; toMs: number; environment: EnvironmentScope };

/** The catalogue suffices for all but young apps. */
export async function coversMost(
  { deps, orgId, app, signal }: AppContext<'queries' | 'sql'>,
  { fromMs, toMs, environment }: Before,
): Promise<boolean> {
  const middleMs = (fromMs + toMs) / 2;
  if (await filesBegin(deps.sql, { orgId, appId: app.id }, new Date(middleMs))) return true;
  const { firstAtUs } = await deps.queries.ask(
    'first-event',
    {
      orgId,
      appId: app.id,
      environment,
      fromUs: 0,
      beforeUs: Math.floor(middleMs) * 1_000,
      names: null,
      filters: {},
    },
    { signal },
  );
  return firstAtUs !== null;
}
