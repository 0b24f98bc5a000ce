import type { OrgContext, SystemContext } from '../../context.ts';
import { invalidInput, notFound } from '../../shared/errors.ts';
import { DEFAULT_HOUR, type DigestSettings, isTimezone } from './model.ts';
import { isOffToken } from './off-link.ts';
import { selectSettings, switchOff, upsertSettings } from './queries.ts';

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
  settings: DigestSettings,
): Promise<DigestSettings> {
  if (!isTimezone(settings.timezone)) {
    throw invalidInput('timezone', 'must be the IANA name of a zone, such as Europe/Berlin');
  }
  await upsertSettings(deps.sql, orgId, settings, deps.clock());
  return settings;
}

/** What the link in every digest does, without a login. Throws `not_found` for any other link. */
export async function endDigests(
  { deps }: SystemContext<'clock' | 'identity' | 'sql'>,
  { org, token }: { org: string; token: string },
): Promise<string> {
  if (!isOffToken(deps, org, token)) throw notFound();
  await switchOff(deps.sql, org, deps.clock());
  return 'The morning digest is off. A member can switch it on again.';
}
