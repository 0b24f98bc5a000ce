import type { AppContext, SystemContext } from '../../context.ts';
import type { App } from '../../shared/app.ts';
import { AppError, invalidInput } from '../../shared/errors.ts';
import { parseTimezone } from '../../shared/timezone.ts';
import type { AppSettings, AppSettingsPatch } from './model.ts';
import {
  type AppLimit,
  deleteLimit,
  findOrganizationOfApp,
  listLimits,
  selectSettings,
  updateSettings,
  upsertLimit,
} from './queries.ts';

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

/** Takes effect within 5 s. */
export async function setLimit(
  { deps: { sql } }: SystemContext<'sql'>,
  { appId, name, points }: SetLimitInput,
): Promise<AppLimit[]> {
  const orgId = await findOrganizationOfApp(sql, appId);
  if (orgId === undefined) throw new AppError('not_found', `There is no app "${appId}".`);
  if ((name === undefined) !== (points === undefined)) {
    throw invalidInput('--name and --points', 'belong together');
  }
  if (name !== undefined && points !== undefined) {
    if (points === 0) await deleteLimit(sql, { orgId, appId, name });
    else await upsertLimit(sql, { orgId, appId, name, points });
  }
  return listLimits(sql, orgId, appId);
}

export async function getAppSettings({
  deps,
  orgId,
  app,
}: AppContext<'sql'>): Promise<AppSettings> {
  return selectSettings(deps.sql, { orgId, appId: app.id });
}

export async function patchAppSettings(
  { deps, orgId, app }: AppContext<'sql'>,
  patch: AppSettingsPatch,
): Promise<AppSettings> {
  const { timezone } = patch;
  const spelled = timezone === undefined ? {} : { timezone: parseTimezone(timezone) };
  return updateSettings(deps.sql, { orgId, appId: app.id }, { ...patch, ...spelled });
}

export async function resolveTimezone(
  { deps, orgId, app }: Pick<AppContext<'sql'>, 'deps' | 'orgId'> & { app: Pick<App, 'id'> },
  asked: string | undefined,
): Promise<string> {
  if (asked !== undefined) return parseTimezone(asked);
  return (await selectSettings(deps.sql, { orgId, appId: app.id })).timezone;
}
