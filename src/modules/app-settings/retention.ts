import type { SystemContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { findRetention, type Retention, updateRetention } from './queries.ts';

/** What is left out stays as it is; 0 keeps for ever. Keeping less than before wants `deleteOlder`. */
export type SetRetentionInput = { appId: string; deleteOlder?: boolean | undefined } & {
  [Kind in keyof Retention]?: number | undefined;
};

/** The days to store: null, for ever, where `days` is 0. */
function changed(days: number | undefined, before: number | null): number | null {
  if (days === undefined) return before;
  return days === 0 ? null : days;
}

const KINDS: Record<keyof Retention, string> = {
  events: 'Events',
  logs: 'Entries of the log',
  notifications: 'Raw store notifications',
};

/** What would go that is kept now, in words. */
function deleted(before: Retention, after: Retention): string[] {
  const kinds = ['events', 'logs', 'notifications'] as const;
  return kinds.flatMap((kind) => {
    const days = after[kind];
    if (days === null || days >= (before[kind] ?? Number.POSITIVE_INFINITY)) return [];
    return [`${KINDS[kind]} older than ${days} days would be deleted for good.`];
  });
}

/**
 * Sets how long an app's events, logs and raw store notifications are kept, in days. Older ones go
 * with the next maintenance. Throws `not_found`, and `conflict` where less would be kept than before
 * and nobody said that older ones may go.
 */
export async function setRetention(
  { deps: { sql } }: SystemContext<'sql'>,
  { appId, deleteOlder = false, ...days }: SetRetentionInput,
): Promise<Retention> {
  const before = await findRetention(sql, appId);
  if (!before) throw new AppError('not_found', `There is no app "${appId}".`);
  const after: Retention = {
    events: changed(days.events, before.events),
    logs: changed(days.logs, before.logs),
    notifications: changed(days.notifications, before.notifications),
  };
  const goes = deleted(before, after);
  if (goes.length > 0 && !deleteOlder) {
    throw new AppError('conflict', goes.join(' '), {
      hint: 'Nothing was changed. Add --delete-older if they may go.',
    });
  }
  await updateRetention(sql, { orgId: before.orgId, appId, ...after });
  return after;
}
