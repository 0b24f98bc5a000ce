import type { AppContext } from '../../context.ts';
import { EgressError } from '../../providers/egress/port.ts';
import { invalidInput } from '../../shared/errors.ts';
import { createWebhookSecret } from '../../shared/webhook-signature.ts';
import type { PatchedSettings, PurchaseSettings, SettingsPatch } from './model.ts';
import { lockSettings, saveSettings, selectSettings } from './settings-queries.ts';

export const FORWARD_PURPOSE = 'purchase-forward';

export async function getPurchaseSettings({
  deps,
  orgId,
  app,
}: AppContext): Promise<PurchaseSettings> {
  return (await selectSettings(deps.sql, { orgId, appId: app.id })).settings;
}

function checkForwardUrl({ deps }: AppContext, url: string): void {
  try {
    deps.egress.check(url);
  } catch (thrown) {
    if (thrown instanceof EgressError) throw invalidInput('forwardUrl', thrown.message);
    throw thrown;
  }
}

/** Names what is in both, since a patch may leave fields out but never set them to undefined. */
function merge(before: PurchaseSettings, patch: SettingsPatch): PurchaseSettings {
  return {
    ownership: patch.ownership ?? before.ownership,
    sandboxAccess: patch.sandboxAccess ?? before.sandboxAccess,
    sandboxListed: patch.sandboxListed ?? before.sandboxListed,
    forwardUrl: patch.forwardUrl === undefined ? before.forwardUrl : patch.forwardUrl,
  };
}

/** Changes what is named. Switching forwarding on makes its secret, shown this once. */
export async function patchPurchaseSettings(
  ctx: AppContext,
  patch: SettingsPatch,
): Promise<PatchedSettings> {
  const { deps, orgId, app } = ctx;
  if (patch.forwardUrl != null) checkForwardUrl(ctx, patch.forwardUrl);
  const scope = { orgId, appId: app.id };
  const patched = await deps.sql.begin(async (tx) => {
    // There may be no row to lock yet, and only one of two callers may be given a secret.
    await lockSettings(tx, scope);
    const before = await selectSettings(tx, scope);
    const settings = merge(before.settings, patch);
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
