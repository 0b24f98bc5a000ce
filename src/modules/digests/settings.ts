import type { OrgContext } from '../../context.ts';
import { parseTimezone } from '../../shared/timezone.ts';
import {
  type MessageSettings,
  selectMessageSettings,
  upsertMessageSettings,
} from '../messages/index.ts';
import { forgetAlerts } from './alerts-queries.ts';
import { DEFAULT_HOUR, type DigestSettings } from './model.ts';
import { selectSettings, upsertSettings } from './queries.ts';

const OFF: DigestSettings = { isOn: false, timezone: 'UTC', hour: DEFAULT_HOUR };

export async function getDigestSettings({
  deps,
  orgId,
}: OrgContext<'sql'>): Promise<DigestSettings> {
  return (await selectSettings(deps.sql, orgId)) ?? OFF;
}

/** Switches the morning digest on or off; its schedule follows within seconds. */
export async function setDigestSettings(
  { deps, orgId }: OrgContext<'clock' | 'sql'>,
  input: DigestSettings,
): Promise<DigestSettings> {
  const settings = { ...input, timezone: parseTimezone(input.timezone) };
  await upsertSettings(deps.sql, orgId, settings, deps.clock());
  return settings;
}

const NOTHING_AT_ONCE: MessageSettings = {
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
  return (await selectMessageSettings(deps.sql, orgId)) ?? NOTHING_AT_ONCE;
}

/** Says what is told at once; from now on. */
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
