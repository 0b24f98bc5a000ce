import type { OrgContext } from '../../context.ts';
import { parseTimezone } from '../../shared/timezone.ts';
import { forgetAlerts } from './alerts-queries.ts';
import { DEFAULT_HOUR, type DigestSettings } from './digest.model.ts';
import { type ChangeMessageSettings, type MessageSettings, NO_SETTINGS } from './model.ts';
import * as queries from './queries.ts';

export async function getMessageSettings({
  deps,
  orgId,
}: OrgContext<'sql'>): Promise<MessageSettings> {
  return (await queries.selectMessageSettings(deps.sql, orgId)) ?? NO_SETTINGS;
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
    const before = (await queries.selectMessageSettings(tx, orgId)) ?? NO_SETTINGS;
    const settings = { ...input, watches: watches ?? before.watches, quietHours };
    await queries.saveMessageSettings(tx, orgId, settings, deps.clock());
    if (settings.alerts && !before.alerts) await forgetAlerts(tx, orgId);
    return settings;
  });
}

const NO_DIGEST: DigestSettings = { isOn: false, timezone: 'UTC', hour: DEFAULT_HOUR };

export async function getDigestSettings({
  deps,
  orgId,
}: OrgContext<'sql'>): Promise<DigestSettings> {
  return (await queries.selectDigestSettings(deps.sql, orgId)) ?? NO_DIGEST;
}

/** The reconciler changes the schedule within seconds. */
export async function setDigestSettings(
  { deps, orgId }: OrgContext<'clock' | 'sql'>,
  input: DigestSettings,
): Promise<DigestSettings> {
  const settings = { ...input, timezone: parseTimezone(input.timezone) };
  await queries.saveDigestSettings(deps.sql, orgId, settings, deps.clock());
  return settings;
}
