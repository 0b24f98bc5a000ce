import { randomBytes } from 'node:crypto';
import type { AppContext, Deps } from '../../../context.ts';
import { StoreFault } from '../../../providers/store/port.ts';
import type { App } from '../../../shared/app.ts';
import { AppError, notFound } from '../../../shared/errors.ts';
import { toPublicUrl } from '../../../shared/own-origin.ts';
import { toIso, toIsoOrNull } from '../../../shared/time.ts';
import { selectKey } from '../collection/connection-queries.ts';
import { openKey } from '../collection/opened-key.ts';
import type { MadeStoreWebhook, StoreWebhook } from './model.ts';
import * as queries from './queries.ts';

export const HOOK_SECRET_PURPOSE = 'store-webhook';
const scope = (orgId: string) => ({ orgId, purpose: HOOK_SECRET_PURPOSE });

export const sealSecret = ({ secrets }: Pick<Deps, 'secrets'>, orgId: string, secret: string) =>
  secrets.seal(scope(orgId), secret);

export const openSecret = ({ secrets }: Pick<Deps, 'secrets'>, orgId: string, sealed: string) =>
  secrets.open(scope(orgId), sealed);

const BY_HAND =
  'The key may not make webhooks (role Admin or App Manager): enter address and secret in App Store Connect under Users and Access, Integrations, Webhooks.';

const addressOf = ({ config }: Pick<Deps, 'config'>, hookId: string): string =>
  `${toPublicUrl(config)}/v1/store/webhooks/${hookId}`;

const toWire = (deps: Pick<Deps, 'config'>, row: queries.StoreWebhookRow): StoreWebhook => ({
  address: addressOf(deps, row.hookId),
  isInAccount: row.accountWebhookId !== null,
  lastError: row.lastError,
  rotatedAt: toIso(row.rotatedAt),
  lastDeliveryAt: toIsoOrNull(row.lastDeliveryAt),
  pingedAt: toIsoOrNull(row.pingedAt),
});

function linkedApp(orgId: string, { storeAppId }: App) {
  if (storeAppId !== null) return { orgId, storeAppId };
  throw new AppError('store_app_not_found', 'This app is linked to no store app.', {
    hint: 'Link it with POST /v1/store/apps/link.',
  });
}

export async function getStoreWebhook({
  deps,
  orgId,
  app,
}: AppContext<'config' | 'sql'>): Promise<StoreWebhook | null> {
  if (app.storeAppId === null) return null;
  const row = await queries.selectStoreWebhook(deps.sql, { orgId, storeAppId: app.storeAppId });
  return row && toWire(deps, row);
}

async function writeToAccount(
  deps: Pick<Deps, 'config' | 'secrets' | 'sql' | 'store'>,
  row: queries.StoreWebhookRow,
  secret: string,
): Promise<{ accountWebhookId: string | null; lastError: string | null }> {
  const record = await selectKey(deps.sql, row.orgId);
  const { storeAppId, accountWebhookId } = row;
  if (!record) return { accountWebhookId, lastError: 'No store is connected.' };
  const url = addressOf(deps, row.hookId);
  try {
    const id = await deps.store.putWebhook(openKey(deps, record), {
      ...{ storeAppId, url, secret },
      webhookId: accountWebhookId,
    });
    return { accountWebhookId: id, lastError: null };
  } catch (thrown) {
    if (!(thrown instanceof StoreFault)) throw thrown;
    // The one that is there stays, with the secret before.
    return { accountWebhookId, lastError: thrown.kind === 'role' ? BY_HAND : thrown.message };
  }
}

/** Made, or given a new secret; the old one holds for a day. Throws `store_app_not_found`. */
export async function putStoreWebhook(
  ctx: AppContext<'clock' | 'config' | 'log' | 'secrets' | 'sql' | 'store'>,
): Promise<MadeStoreWebhook> {
  const { deps } = ctx;
  const scope = linkedApp(ctx.orgId, ctx.app);
  const secret = randomBytes(32).toString('base64url');
  await queries.upsertSecret(deps.sql, scope, {
    hookId: randomBytes(18).toString('base64url'),
    sealedSecret: sealSecret(deps, scope.orgId, secret),
    at: deps.clock(),
  });
  const row = await queries.selectStoreWebhook(deps.sql, scope);
  if (!row) throw notFound();
  const account = await writeToAccount(deps, row, secret);
  await queries.noteAccount(deps.sql, scope, account);
  deps.log.info({ audit: 'store_webhook_secret_made', ...scope }, 'store webhook changed');
  const isWritten = account.lastError === null;
  return { ...toWire(deps, { ...row, ...account }), secret: isWritten ? null : secret };
}

export async function removeStoreWebhook(
  ctx: AppContext<'log' | 'secrets' | 'sql' | 'store'>,
): Promise<void> {
  const { deps, orgId, app } = ctx;
  if (app.storeAppId === null) return;
  const scope = { orgId, storeAppId: app.storeAppId };
  const row = await queries.selectStoreWebhook(deps.sql, scope);
  await queries.deleteStoreWebhook(deps.sql, scope);
  const record = row?.accountWebhookId ? await selectKey(deps.sql, orgId) : null;
  if (!record || !row?.accountWebhookId) return;
  try {
    await deps.store.deleteWebhook(openKey(deps, record), row.accountWebhookId);
  } catch (thrown) {
    if (!(thrown instanceof StoreFault)) throw thrown;
    deps.log.warn({ ...scope, err: thrown }, 'the webhook stays in the account');
  }
}
