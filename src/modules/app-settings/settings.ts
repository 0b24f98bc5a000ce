import type { AppContext } from '../../context.ts';
import type { App } from '../../shared/app.ts';
import { parseTimezone } from '../../shared/timezone.ts';
import type { AppSettings, AppSettingsPatch } from './model.ts';
import { selectSettings, updateSettings } from './queries.ts';

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
