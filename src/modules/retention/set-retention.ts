import type { SystemContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { findOrganizationOfApp } from '../app-limits/index.ts';
import { findRetention, type Retention, updateRetention } from './queries.ts';

/** What is left out stays as it is; 0 keeps for ever. */
export type SetRetentionInput = { appId: string } & {
  [Kind in keyof Retention]?: number | undefined;
};

/**
 * How long an app's events, logs and raw store notifications are kept, in days. Older ones go with
 * the next maintenance. Throws `not_found`.
 */
export async function setRetention(
  { deps: { sql } }: SystemContext,
  { appId, ...days }: SetRetentionInput,
): Promise<Retention> {
  const orgId = await findOrganizationOfApp(sql, appId);
  const before = orgId === undefined ? null : await findRetention(sql, orgId, appId);
  if (orgId === undefined || before === null) {
    throw new AppError('not_found', `There is no app "${appId}".`);
  }
  const pick = (given: number | undefined, kept: number | null) =>
    given === undefined ? kept : given === 0 ? null : given;
  const after: Retention = {
    events: pick(days.events, before.events),
    logs: pick(days.logs, before.logs),
    notifications: pick(days.notifications, before.notifications),
  };
  await updateRetention(sql, { orgId, appId, ...after });
  return after;
}
