import type { OrgContext, SystemContext } from '../../context.ts';
import type { App } from '../../shared/app.ts';
import { type AlertCheckInput, alertCheckContract } from '../../temporal/contracts/messages.ts';
import { listApps } from '../apps/index.ts';
import { getInsights } from '../insights/index.ts';
import { enqueueMessage, selectMessageSettings } from '../messages/index.ts';
import { followAlerts } from './alerts.ts';
import { deleteAlerts, insertAlert, lockOpenAlerts, setAbsent } from './alerts-queries.ts';
import { MAX_APPS } from './model.ts';

type Needs = 'clock' | 'latestExperiment' | 'queries' | 'rates' | 'salesFigures' | 'sql';

/** Tells of each insight of an app that asks to act and has begun. */
async function checkApp(ctx: OrgContext<Needs>, app: App): Promise<void> {
  const { deps, orgId } = ctx;
  const { recommendations } = await getInsights({ ...ctx, app }, {});
  const found = new Map(
    recommendations.filter(({ severity }) => severity === 'act').map((one) => [one.code, one]),
  );
  const at = deps.clock();
  const scope = { orgId, appId: app.id };
  await deps.sql.begin(async (tx) => {
    const open = await lockOpenAlerts(tx, scope);
    const { begun, absent, present, ended } = followAlerts(open, new Set(found.keys()), at);
    await setAbsent(tx, scope, { codes: absent, since: at });
    await setAbsent(tx, scope, { codes: present, since: null });
    await deleteAlerts(tx, scope, ended);
    for (const [code, { title, detail }] of found) {
      if (!begun.includes(code)) continue;
      await insertAlert(tx, scope, { code, at });
      const messageId = `alert/${app.id}/${code}/${at.getTime()}`;
      const text = `${title}. ${detail}`;
      await enqueueMessage(tx, { orgId, at }, { messageId, appId: app.id, kind: 'alert', text });
    }
  });
}

/** Looks through the apps of an organization that wants to be told at once; the oldest twenty. */
export async function checkAlerts(
  { deps, requestId }: SystemContext<Needs | 'temporal'>,
  { orgId }: AlertCheckInput,
): Promise<void> {
  const settings = await selectMessageSettings(deps.sql, orgId);
  if (!settings) {
    // The organization is gone, and its rows with it: its schedule is the last of it.
    await deps.temporal.unschedule(alertCheckContract, { orgId });
    return;
  }
  if (!settings.alerts) return;
  const ctx = { deps, requestId, orgId, actor: { kind: 'system' as const } };
  for (const app of (await listApps(ctx)).slice(0, MAX_APPS)) {
    if (app.status === 'active') await checkApp(ctx, app);
  }
}
