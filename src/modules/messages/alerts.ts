import type { Deps, OrgContext } from '../../context.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { alertCheckContract } from '../../temporal/contracts/messages.ts';
import * as queries from './alerts-queries.ts';
import { enqueueMessage, selectMessageSettings } from './queries.ts';

/** Also ends the hourly check of a deleted organization. */
export async function wantsAlerts(
  { sql, temporal }: Pick<Deps, 'sql' | 'temporal'>,
  orgId: string,
): Promise<boolean> {
  const settings = await selectMessageSettings(sql, orgId);
  if (!settings) await temporal.unschedule(alertCheckContract, { orgId });
  return settings?.alerts ?? false;
}

type Alert = { code: string; title: string; detail: string };

/** Begins and ends the alerts of an app; one message for each that begins. */
export async function recordAlerts(
  { deps, orgId }: OrgContext<'clock' | 'sql'>,
  appId: string,
  alerts: readonly Alert[],
): Promise<void> {
  const at = deps.clock();
  const scope = { orgId, appId };
  const found = new Map(alerts.map((alert) => [alert.code, alert]));
  await deps.sql.begin(async (tx) => {
    const open = await queries.lockOpenAlerts(tx, scope);
    const { begun, absent, present, ended } = followAlerts(open, new Set(found.keys()), at);
    await queries.setAbsent(tx, scope, { codes: absent, since: at });
    await queries.setAbsent(tx, scope, { codes: present, since: null });
    await queries.deleteAlerts(tx, scope, ended);
    for (const { code, title, detail } of found.values()) {
      if (!begun.includes(code)) continue;
      await queries.insertAlert(tx, scope, { code, at });
      const messageId = `alert/${appId}/${code}/${at.getTime()}`;
      const text = `${title}. ${detail}`;
      await enqueueMessage(tx, { orgId, at }, { messageId, appId, kind: 'alert', text });
    }
  });
}

/** Flapping within 24 hours counts as one alert. */
export const ENDED_AFTER_MS = 24 * HOUR_MS;

export type AlertChanges = {
  begun: string[];
  absent: string[];
  present: string[];
  ended: string[];
};

/** Begins when first found, ends after a day without. */
export function followAlerts(
  open: readonly queries.OpenAlert[],
  found: ReadonlySet<string>,
  now: Date,
): AlertChanges {
  const codes = (of: (alert: queries.OpenAlert) => boolean) =>
    open.filter(of).map(({ code }) => code);
  const isOver = ({ code, absentSince }: queries.OpenAlert) =>
    !found.has(code) &&
    absentSince !== null &&
    now.getTime() - absentSince.getTime() >= ENDED_AFTER_MS;
  const known = new Set(open.map(({ code }) => code));
  return {
    begun: [...found].filter((code) => !known.has(code)),
    present: codes(({ code, absentSince }) => found.has(code) && absentSince !== null),
    absent: codes(({ code, absentSince }) => !found.has(code) && absentSince === null),
    ended: codes(isOver),
  };
}
