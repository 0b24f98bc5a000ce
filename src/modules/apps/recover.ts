import { type AppScope, DEFAULT_REGION } from '../../shared/app.ts';
import type { Clock } from '../../shared/time.ts';
import type { Tx } from '../../storage/postgres.ts';
import { insertNewApp } from './create.ts';

/** The next start provisions them. */
export async function recoverApps(tx: Tx, clock: Clock, apps: readonly AppScope[]): Promise<void> {
  for (const { orgId, appId } of apps) {
    await insertNewApp(tx, clock, {
      appId,
      orgId,
      slug: `recovered-${appId.slice(appId.indexOf('_') + 1)}`,
      displayName: `Recovered ${appId}`,
      region: DEFAULT_REGION,
      source: 'built_here',
      createdAt: clock(),
    });
  }
}
