import type { AppContext, SystemContext } from '../../context.ts';
import { AppError, invalidInput } from '../../shared/errors.ts';
import { parseTimezone } from '../../shared/timezone.ts';
import type { AppSettings, AppSettingsPatch } from './model.ts';
import * as queries from './queries.ts';

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
