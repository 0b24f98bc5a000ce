import type { SystemContext } from '../../context.ts';
import { withApp } from '../../shared/app.ts';
import type { AlertCheckInput } from '../../temporal/contracts/messages.ts';
import { listApps } from '../apps/index.ts';
import { MAX_APPS, recordAlerts, wantsAlerts } from '../messages/index.ts';
import { getInsights } from './get.ts';
export { getInsights } from './get.ts';
export type { Recommendation } from './model.ts';

type Needs = 'clock' | 'latestExperiment' | 'log' | 'queries' | 'rates' | 'salesFigures' | 'sql';

const SENT_AT_ONCE: ReadonlySet<string> = new Set(['consent_rescinded', 'external_purchase_token']);

/** Insights of severity `act` are alerts. */
export async function checkAlerts(
  { deps, requestId }: SystemContext<Needs | 'temporal'>,
  { orgId }: AlertCheckInput,
): Promise<void> {
  if (!(await wantsAlerts(deps, orgId))) return;
  const ctx = { deps, requestId, orgId, actor: { kind: 'system' as const } };
  for (const app of (await listApps(ctx)).slice(0, MAX_APPS)) {
    if (app.status !== 'active') continue;
    const { recommendations } = await getInsights(withApp(ctx, app), {
      withVersions: false,
      isInBackground: true,
    });
    const alerts = recommendations.filter(
      ({ code, severity }) => severity === 'act' && !SENT_AT_ONCE.has(code),
    );
    await recordAlerts(ctx, app.id, alerts);
  }
}
