import type { AppContext, SystemContext } from '../../context.ts';
import type { AppScope } from '../../shared/app.ts';
import { AppError, invalidInput, orNotFound } from '../../shared/errors.ts';
import { parseTimezone } from '../../shared/timezone.ts';
import type { Sql } from '../../storage/postgres.ts';
import type { AppSettings, AppSettingsPatch, AppRetention, AppRetentionPatch } from './model.ts';
import * as queries from './queries.ts';

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
    const before = orNotFound(await queries.lockRetention(tx, scope));
    const after: AppRetention = { ...before, ...days };
    const goes = deleted(before, after);
    if (goes.length > 0 && !deleteOlder) {
      throw new AppError('conflict', goes.join(' '), {
        hint: 'Nothing was changed. Send deleteOlder: true (in the command --delete-older) if they may go.',
      });
    }
    await queries.updateRetention(tx, scope, after);
    return { before, after };
  });
}

export async function getAppRetention({ deps, scope }: AppContext<'sql'>): Promise<AppRetention> {
  return orNotFound(await queries.findRetention(deps.sql, scope));
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
  const orgId = await queries.findOrganizationOfApp(sql, appId);
  if (orgId === undefined) throw new AppError('not_found', `There is no app "${appId}".`);
  return (await change(sql, { orgId, appId }, patch)).after;
}

export const RAISABLE_LIMITS = [
  'events',
  'eventsPerDay',
  'experiments',
  'flags',
  'purchases',
  'notificationsOfApp',
] as const;

type SetLimitInput = {
  appId: string;
  name?: (typeof RAISABLE_LIMITS)[number] | undefined;
  /** 0 restores the default. */
  points?: number | undefined;
};

export async function setLimit(
  { deps: { sql } }: SystemContext<'sql'>,
  { appId, name, points }: SetLimitInput,
): Promise<queries.AppLimit[]> {
  const orgId = await queries.findOrganizationOfApp(sql, appId);
  if (orgId === undefined) throw new AppError('not_found', `There is no app "${appId}".`);
  if ((name === undefined) !== (points === undefined)) {
    throw invalidInput('--name and --points', 'belong together');
  }
  if (name !== undefined && points !== undefined) {
    if (points === 0) await queries.deleteLimit(sql, { orgId, appId, name });
    else await queries.upsertLimit(sql, { orgId, appId, name, points });
  }
  return queries.listLimits(sql, orgId, appId);
}

export async function getAppSettings({ deps, scope }: AppContext<'sql'>): Promise<AppSettings> {
  return queries.selectSettings(deps.sql, scope);
}

export async function patchAppSettings(
  { deps, scope }: AppContext<'sql'>,
  patch: AppSettingsPatch,
): Promise<AppSettings> {
  const { timezone } = patch;
  const spelled = timezone === undefined ? {} : { timezone: parseTimezone(timezone) };
  return queries.updateSettings(deps.sql, scope, { ...patch, ...spelled });
}

export async function resolveTimezone(
  { deps, scope }: Pick<AppContext<'sql'>, 'deps' | 'scope'>,
  asked: string | undefined,
): Promise<string> {
  if (asked !== undefined) return parseTimezone(asked);
  return (await queries.selectSettings(deps.sql, scope)).timezone;
}
