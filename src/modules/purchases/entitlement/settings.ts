import type { AppContext } from '../../../context.ts';
import { refuseErased } from '../../../event-store/people.ts';
import { checkAddress } from '../../../providers/egress/port.ts';
import { createWebhookSecret } from '../../../shared/webhook-signature.ts';
import { lockApp } from '../../../storage/rows-of-app.ts';
import type { PatchedSettings, PurchaseSettings, SettingsPatch } from '../model/wire.ts';
import { saveSettings, selectSettings } from './settings-queries.ts';

export const FORWARD_PURPOSE = 'purchase-forward';

export async function getPurchaseSettings({
  deps,
  scope,
}: AppContext<'sql'>): Promise<PurchaseSettings> {
  return (await selectSettings(deps.sql, scope)).settings;
}

/** Returns a new forwarding secret once. */
export async function patchPurchaseSettings(
  ctx: AppContext<'clock' | 'egress' | 'purchaseProfiles' | 'secrets' | 'sql'>,
  patch: SettingsPatch,
): Promise<PatchedSettings> {
  const { deps, orgId, scope } = ctx;
  if (patch.forwardUrl != null) checkAddress(deps.egress, patch.forwardUrl, 'forwardUrl');
  const patched = await deps.sql.begin(async (tx) => {
    // Without a settings row, two callers would each get a secret.
    await lockApp(tx, scope);
    const before = await selectSettings(tx, scope);
    const listed = new Set(before.settings.sandboxListed);
    const added = (patch.sandboxListed ?? []).filter((id) => !listed.has(id));
    await refuseErased(tx, scope, added);
    await refuseErased(tx, scope, added, 'device');
    const settings = { ...before.settings, ...patch };
    const isNew = settings.forwardUrl !== null && before.sealedForwardSecret === null;
    const secret = isNew ? createWebhookSecret() : null;
    const sealed = secret
      ? deps.secrets.seal({ orgId, purpose: FORWARD_PURPOSE }, secret)
      : before.sealedForwardSecret;
    const sealedForwardSecret = settings.forwardUrl === null ? null : sealed;
    await saveSettings(tx, scope, { settings, sealedForwardSecret }, deps.clock());
    return secret === null ? settings : { ...settings, forwardSecret: secret };
  });
  deps.purchaseProfiles.forget();
  return patched;
}
