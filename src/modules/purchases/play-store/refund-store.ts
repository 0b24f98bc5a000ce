import type { SystemContext } from '../../../context.ts';
import type { PlayOrder } from '../../../providers/play-store/port.ts';
import { must } from '../../../shared/assert.ts';
import { ProviderError } from '../../../shared/provider-error.ts';
import { HOUR_MS } from '../../../shared/time.ts';
import { playPurchasesContract } from '../../../temporal/contracts/purchases.ts';
import { ensureSoon } from '../../../temporal/ensure.ts';
import { selectRefundPurchase } from '../ledger/refund-requests-queries.ts';
import type { OpenRequest, RefundStore } from '../model/refund-store.ts';
import { type OpenPlayKey, openPlayKey } from './connection.ts';
import { hintAtToken } from './due-queries.ts';
import { isOfTheToken } from './read-orders.ts';
import { selectKeyOfToken } from './voids-queries.ts';

const FOR_THE_ANSWER_MS = HOUR_MS;

async function openKey(
  { deps }: SystemContext<'secrets' | 'sql'>,
  { orgId, appId }: OpenRequest,
): Promise<OpenPlayKey> {
  const opened = await openPlayKey({ deps, orgId }, appId);
  if (opened) return opened;
  throw new ProviderError('unavailable', 'Google Play is not connected.');
}

async function readOrder(
  ctx: SystemContext<'playStore' | 'secrets' | 'sql'>,
  request: OpenRequest,
): Promise<PlayOrder | null> {
  const { key, packageName } = await openKey(ctx, request);
  const order = { packageName, orderId: request.transactionId };
  return ctx.deps.playStore.order(key, order).catch((thrown: unknown) => {
    if (isOfTheToken(thrown)) return null;
    throw thrown;
  });
}

async function findChain(
  { deps }: SystemContext<'clock' | 'log' | 'sql' | 'temporal'>,
  { orgId, appId, answerBy }: OpenRequest,
  purchaseToken: string,
): Promise<string | null> {
  const scope = { orgId, appId };
  const known = await selectKeyOfToken(deps.sql, scope, purchaseToken);
  if (known) return known.chainId;
  const at = deps.clock();
  await hintAtToken(deps.sql, { ...scope, purchaseToken, kind: 'subscription', at });
  ensureSoon(deps, playPurchasesContract, scope);
  if (at.getTime() >= answerBy.getTime() - FOR_THE_ANSWER_MS) return null;
  throw new ProviderError('unavailable', 'Google Play is asked about the purchase.');
}

export const googlePlayRefunds: RefundStore = {
  maxEvents: 1_000,
  async findPurchase(ctx, request) {
    const known = await selectRefundPurchase(ctx.deps.sql, request, request.transactionId);
    if (known) return known;
    const order = await readOrder(ctx, request);
    const token = order?.purchaseToken;
    const [line] = order?.lines ?? [];
    const chainId = token ? await findChain(ctx, request, token) : null;
    if (!line) return null;
    return {
      ...{ chainId: chainId ?? '', productId: line.productId, type: 'unknown', quantity: 1 },
      purchasedAt: new Date(line.startsAt ?? order?.paidAt ?? request.askedAt),
      revokedMs: null,
    };
  },
  async open(ctx, request) {
    const { key, packageName } = await openKey(ctx, request);
    const token = must(request.refundToken, 'Google Play asks by a token');
    const about = { packageName, orderId: request.transactionId, token };
    return ({ answer, evidence }) =>
      ctx.deps.playStore.reviewRefund(key, { ...about, ...answer, evidence });
  },
  /** A permission takes up to 36 hours. The first answer counts: a repeated one may be refused. */
  endOf(failure, isRepeated) {
    if (failure === 'invalid') return isRepeated ? 'answered' : 'refused';
    return failure === 'not_found' ? 'refused' : null;
  },
};
