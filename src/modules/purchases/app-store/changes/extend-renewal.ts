import type { AppContext } from '../../../../context.ts';
import type { PurchaseKey } from '../../../../providers/store-server/port.ts';
import { toAuthor } from '../../../../shared/author.ts';
import { REAL_PURCHASES } from '../../../../shared/environment.ts';
import { AppError, notFound } from '../../../../shared/errors.ts';
import { ProviderError } from '../../../../shared/provider-error.ts';
import { DAY_MS, MINUTE_MS, toIso, toIsoOrNull } from '../../../../shared/time.ts';
import { selectAskableApp } from '../connection/queries.ts';
import { askStore, openKeyToUse } from '../connection/purchase-key.ts';
import type { ExtendRenewalInput, RenewalExtension } from './model.ts';
import * as queries from './queries.ts';
import { toRefusal } from './refusals.ts';

type Needs = 'clock' | 'secrets' | 'sql' | 'storeServer';
type Asked = Pick<
  queries.StoredExtension,
  'requestId' | 'environment' | 'chainId' | 'days' | 'reason'
>;

/** Longer than a request to the store lasts. */
const ASKING_MS = MINUTE_MS;

const toAnswer = (asked: Asked, done: { renewsAt: Date | null; at: Date }): RenewalExtension => ({
  requestIdentifier: asked.requestId,
  originalTransactionId: asked.chainId,
  environment: asked.environment,
  days: asked.days,
  reason: asked.reason,
  renewsAt: toIsoOrNull(done.renewsAt),
  extendedAt: toIso(done.at),
});

async function expiryAtStore(
  ctx: AppContext<Needs>,
  key: PurchaseKey,
  { environment, chainId }: Asked,
): Promise<number> {
  const statuses = await askStore(ctx, key, () =>
    ctx.deps.storeServer.subscriptionStatuses(key, environment, chainId),
  );
  const ends = statuses
    .filter((one) => one.chainId === chainId)
    .map(({ transaction }) => transaction.snapshot.expiresAt ?? 0);
  if (ends.length === 0)
    throw new ProviderError('not_found', 'The store has no such subscription.');
  return Math.max(...ends);
}

/** The answer to the first request, or null where it is to be sent again. */
async function settleEarlier(
  ctx: AppContext<Needs>,
  key: PurchaseKey,
  asked: Asked,
): Promise<RenewalExtension | null> {
  const { deps, scope } = ctx;
  const known = await queries.selectExtension(deps.sql, scope, asked.requestId);
  if (!known) throw new AppError('conflict', 'This extension was refused just now: ask again.');
  const isSame =
    known.chainId === asked.chainId &&
    known.environment === asked.environment &&
    known.days === asked.days &&
    known.reason === asked.reason;
  if (!isSame) {
    throw new AppError('conflict', 'This requestIdentifier stands for another extension.', {
      hint: 'requestIdentifier: one for each extension',
    });
  }
  if (known.extendedAt) {
    return toAnswer(known, { renewsAt: known.renewsAt, at: known.extendedAt });
  }
  const now = deps.clock();
  if (now.getTime() - known.askedAt.getTime() < ASKING_MS) {
    throw new AppError('conflict', 'This extension is being asked for: ask again in a minute.');
  }
  const expiresMs = await expiryAtStore(ctx, key, asked);
  if (expiresMs === known.expiresMs) {
    if (await queries.askAgain(deps.sql, scope, known, now)) return null;
    throw new AppError('conflict', 'This extension is being asked for: ask again in a minute.');
  }
  if (expiresMs - known.expiresMs !== asked.days * DAY_MS) {
    throw new AppError('conflict', 'Whether the store extended it cannot be told any more.', {
      hint: 'Its end has moved since in another way: look at expiresAt, then use another requestIdentifier.',
    });
  }
  const renewsAt = new Date(expiresMs);
  await queries.finishExtension(deps.sql, scope, { requestId: asked.requestId, at: now, renewsAt });
  return toAnswer(asked, { renewsAt, at: now });
}

async function send(
  ctx: AppContext<Needs>,
  key: PurchaseKey,
  asked: Asked,
): Promise<RenewalExtension> {
  const { deps, scope } = ctx;
  const { requestId, environment, chainId, days, reason } = asked;
  try {
    const { renewsAtMs } = await askStore(ctx, key, () =>
      deps.storeServer.extendRenewal(key, environment, chainId, { days, reason, requestId }),
    );
    const renewsAt = renewsAtMs === null ? null : new Date(renewsAtMs);
    const at = deps.clock();
    await queries.finishExtension(deps.sql, scope, { requestId, at, renewsAt });
    return toAnswer(asked, { renewsAt, at });
  } catch (thrown) {
    const isOpen = thrown instanceof ProviderError && thrown.outcomeUnknown;
    if (!isOpen) await queries.dropExtension(deps.sql, scope, requestId);
    throw thrown;
  }
}

/** Once for each `requestIdentifier`. Throws `conflict`, `not_found`, the store's errors. */
export async function extendRenewal(
  ctx: AppContext<Needs>,
  input: ExtendRenewalInput,
): Promise<RenewalExtension> {
  const { deps, orgId, app, actor, scope } = ctx;
  const known = await selectAskableApp(deps.sql, orgId, app.id);
  if (!known) throw notFound();
  const key = await openKeyToUse(ctx, known.bundleId);
  const { requestIdentifier: requestId, days, reason } = input;
  const environment = input.environment ?? REAL_PURCHASES;
  const asked = { requestId, environment, chainId: input.originalTransactionId, days, reason };
  try {
    if ((await queries.selectExtension(deps.sql, scope, requestId)) === null) {
      const expiresMs = await expiryAtStore(ctx, key, asked);
      const row = { ...asked, expiresMs, askedAt: deps.clock(), askedBy: toAuthor(actor) };
      if (await queries.insertExtension(deps.sql, scope, row)) return await send(ctx, key, asked);
    }
    return (await settleEarlier(ctx, key, asked)) ?? (await send(ctx, key, asked));
  } catch (thrown) {
    throw toRefusal(thrown);
  }
}
