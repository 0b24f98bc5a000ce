import type { OrgContext } from '../../context.ts';
import { parseTimezone } from '../../shared/timezone.ts';
import { forgetAlerts } from './alerts-queries.ts';
import type { MessageSettings } from './model.ts';
import { selectMessageSettings, upsertMessageSettings } from './queries.ts';

const OFF: MessageSettings = {
  alerts: false,
  subscribers: false,
  refunds: false,
  billingProblems: false,
  quietHours: null,
};

export async function getMessageSettings({
  deps,
  orgId,
}: OrgContext<'sql'>): Promise<MessageSettings> {
  return (await selectMessageSettings(deps.sql, orgId)) ?? OFF;
}

export async function setMessageSettings(
  { deps, orgId }: OrgContext<'clock' | 'sql'>,
  { quietHours: quiet, ...input }: MessageSettings,
): Promise<MessageSettings> {
  const quietHours = quiet && {
    ...quiet,
    timezone: parseTimezone(quiet.timezone, 'quietHours.timezone'),
  };
  const settings = { ...input, quietHours };
  await deps.sql.begin(async (tx) => {
    const before = await selectMessageSettings(tx, orgId);
    await upsertMessageSettings(tx, orgId, settings, deps.clock());
    if (settings.alerts && !before?.alerts) await forgetAlerts(tx, orgId);
  });
  return settings;
}
