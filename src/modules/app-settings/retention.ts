import type { AppContext, SystemContext } from '../../context.ts';
import type { AppScope } from '../../shared/app.ts';
import { AppError, orNotFound } from '../../shared/errors.ts';
import type { Sql } from '../../storage/postgres.ts';
import type { AppRetention, AppRetentionPatch } from './model.ts';
import { findOrganizationOfApp, findRetention, lockRetention, updateRetention } from './queries.ts';

const KINDS = {
  eventDays: 'Events',
  logDays: 'Entries of the log',
  notificationDays: 'Raw store notifications',
} as const satisfies Record<keyof AppRetention, string>;

function deleted(before: AppRetention, after: AppRetention): string[] {
  const kinds = ['eventDays', 'logDays', 'notificationDays'] as const;
  return kinds.flatMap((kind) => {
    const days = after[kind];
    if (days === null || days >= (before[kind] ?? Number.POSITIVE_INFINITY)) return [];
    return [`${KINDS[kind]} older than ${days} days would be deleted for good.`];
  });
}

type Changed = { before: AppRetention; after: AppRetention };

async function change(
  sql: Sql,
  scope: AppScope,
  { deleteOlder = false, ...days }: AppRetentionPatch,
): Promise<Changed> {
  return sql.begin(async (tx) => {
    const before = orNotFound(await lockRetention(tx, scope));
    const after: AppRetention = { ...before, ...days };
    const goes = deleted(before, after);
    if (goes.length > 0 && !deleteOlder) {
      throw new AppError('conflict', goes.join(' '), {
        hint: 'Nothing was changed. Send deleteOlder: true (in the command --delete-older) if they may go.',
      });
    }
    await updateRetention(tx, scope, after);
    return { before, after };
  });
}

export async function getAppRetention({ deps, scope }: AppContext<'sql'>): Promise<AppRetention> {
  return orNotFound(await findRetention(deps.sql, scope));
}

export async function patchAppRetention(
  { deps, requestId, orgId, app, actor, scope }: AppContext<'log' | 'sql'>,
  patch: AppRetentionPatch,
): Promise<AppRetention> {
  const changed = await change(deps.sql, scope, patch);
  deps.log.info(
    { audit: 'retention_changed', requestId, orgId, appId: app.id, by: actor, ...changed },
    'retention changed',
  );
  return changed.after;
}

export async function setRetention(
  { deps: { sql } }: SystemContext<'sql'>,
  { appId, ...patch }: AppRetentionPatch & { appId: string },
): Promise<AppRetention> {
  const orgId = await findOrganizationOfApp(sql, appId);
  if (orgId === undefined) throw new AppError('not_found', `There is no app "${appId}".`);
  return (await change(sql, { orgId, appId }, patch)).after;
}
