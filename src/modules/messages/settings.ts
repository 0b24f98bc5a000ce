import type { OrgContext } from '../../context.ts';
import { parseTimezone } from '../../shared/timezone.ts';
import { forgetAlerts } from './alerts-queries.ts';
import { type ChangeMessageSettings, type MessageSettings, NO_SETTINGS } from './model.ts';
import { selectMessageSettings, upsertMessageSettings } from './queries.ts';

export async function getMessageSettings({
  deps,
  orgId,
}: OrgContext<'sql'>): Promise<MessageSettings> {
  return (await selectMessageSettings(deps.sql, orgId)) ?? NO_SETTINGS;
}

export async function setMessageSettings(
  { deps, orgId }: OrgContext<'clock' | 'sql'>,
  { quietHours: quiet, watches, ...input }: ChangeMessageSettings,
): Promise<MessageSettings> {
  const quietHours = quiet && {
    ...quiet,
    timezone: parseTimezone(quiet.timezone, 'quietHours.timezone'),
  };
  return deps.sql.begin(async (tx) => {
    const before = (await selectMessageSettings(tx, orgId)) ?? NO_SETTINGS;
    const settings = { ...input, watches: watches ?? before.watches, quietHours };
    await upsertMessageSettings(tx, orgId, settings, deps.clock());
    if (settings.alerts && !before.alerts) await forgetAlerts(tx, orgId);
    return settings;
  });
}
