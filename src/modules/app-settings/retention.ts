import type { SystemContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { findRetention, type Retention, updateRetention } from './queries.ts';

/** What is left out stays as it is; 0 keeps for ever. */
export type SetRetentionInput = { appId: string } & {
  [Kind in keyof Retention]?: number | undefined;
};

/** The days to store: null, for ever, where `days` is 0. */
function changed(days: number | undefined, before: number | null): number | null {
  if (days === undefined) return before;
  return days === 0 ? null : days;
}

/**
 * Sets how long an app's events, logs and raw store notifications are kept, in days. Older ones go
 * with the next maintenance. Throws `not_found`.
 */
export async function setRetention(
  { deps: { sql } }: SystemContext<'sql'>,
  { appId, ...days }: SetRetentionInput,
): Promise<Retention> {
  const before = await findRetention(sql, appId);
  if (!before) throw new AppError('not_found', `There is no app "${appId}".`);
  const after: Retention = {
    events: changed(days.events, before.events),
    logs: changed(days.logs, before.logs),
    notifications: changed(days.notifications, before.notifications),
  };
  await updateRetention(sql, { orgId: before.orgId, appId, ...after });
  return after;
}
