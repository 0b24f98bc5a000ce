import type { OrgContext } from '../../context.ts';
import { parseTimezone } from '../../shared/timezone.ts';
import { DEFAULT_HOUR, type DigestSettings } from './model.ts';
import { selectSettings, upsertSettings } from './queries.ts';

const OFF: DigestSettings = { isOn: false, timezone: 'UTC', hour: DEFAULT_HOUR };

export async function getDigestSettings({
  deps,
  orgId,
}: OrgContext<'sql'>): Promise<DigestSettings> {
  return (await selectSettings(deps.sql, orgId)) ?? OFF;
}

/** The reconciler changes the schedule within seconds. */
export async function setDigestSettings(
  { deps, orgId }: OrgContext<'clock' | 'sql'>,
  input: DigestSettings,
): Promise<DigestSettings> {
  const settings = { ...input, timezone: parseTimezone(input.timezone) };
  await upsertSettings(deps.sql, orgId, settings, deps.clock());
  return settings;
}
