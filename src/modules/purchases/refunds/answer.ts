import type { SystemContext } from '../../../context.ts';
import { AppError } from '../../../shared/errors.ts';
import { ProviderError } from '../../../shared/provider-error.ts';
import type { Store } from '../../../shared/stores.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
import { asOutgoingCall } from '../../../storage/outgoing-calls-queries.ts';
import type { RefundRunInput } from '../../../temporal/contracts/purchases.ts';
import { appStoreRefunds } from '../app-store/refund-store.ts';
import { closeRefundRequests, identifyRequest } from '../ledger/refund-requests-queries.ts';
import type { FixedAnswer, RefundKey, RefundStore } from '../model/refund-store.ts';
import type { RefundSettings } from '../model/refunds.ts';
import { googlePlayRefunds } from '../play-store/refund-store.ts';
import { decide, termsFor, usedMillipercent } from './decide.ts';
import * as queries from './requests-queries.ts';
import { selectRefundSettings } from './settings-queries.ts';
import { findUses } from './uses.ts';

const REFUND_STORES: Readonly<Record<Store, RefundStore>> = {
  app_store: appStoreRefunds,
  google_play: googlePlayRefunds,
};

type Needs =
  | 'clock'
  | 'log'
  | 'playStore'
  | 'queries'
  | 'secrets'
  | 'sql'
  | 'storeServer'
  | 'temporal';

/** The store's clock may be ahead. */
const SPARE_MS = MINUTE_MS;

const isOver = ({ answerBy }: queries.WaitingRequest, now: Date): boolean =>
  now.getTime() >= answerBy.getTime() - SPARE_MS;

async function selectIdentified(
  ctx: SystemContext<Needs>,
  key: RefundKey,
  request: queries.WaitingRequest,
): Promise<queries.WaitingRequest | null> {
  if (request.isIdentified) return request;
  const { sql } = ctx.deps;
  const found = await REFUND_STORES[request.store].findPurchase(ctx, { ...request, ...key });
  if (!found) return request;
  await identifyRequest(sql, key, found);
  const { transactionId } = request;
  if (found.revokedMs !== null) {
    const decided = { transactionId, outcome: 'refunded' as const, atMs: found.revokedMs };
    await closeRefundRequests(sql, key, decided);
  }
  return queries.selectWaitingRequest(sql, key);
}

async function readUsed(
  ctx: SystemContext<'clock' | 'queries'>,
  key: RefundKey,
  request: queries.WaitingRequest,
  { products }: RefundSettings,
): Promise<Pick<FixedAnswer, 'evidence'> & { used: number | null }> {
  const rule = products.find(({ productId }) => productId === request.productId);
  const { userIds, anonymousIds, purchasedAt, quantity, store } = request;
  const eventName = rule?.used === 'events' ? rule.eventName : undefined;
  if (eventName === undefined) {
    return { used: usedMillipercent(rule, { quantity, uses: 0 }), evidence: null };
  }
  const personIds = [...userIds, ...anonymousIds];
  const uses = await findUses(ctx, key, { personIds, eventName, since: purchasedAt });
  const { maxEvents } = REFUND_STORES[store];
  return {
    used: usedMillipercent(rule, { quantity, uses: uses.length }),
    evidence: maxEvents === 0 ? null : { eventName, atMs: uses.slice(-maxEvents) },
  };
}

async function answerOnce(ctx: SystemContext<Needs>, key: RefundKey): Promise<void> {
  const { sql, clock } = ctx.deps;
  const waiting = await queries.selectWaitingRequest(sql, key);
  if (!waiting) return;
  if (isOver(waiting, clock())) return queries.markNotAnswered(sql, key, { why: 'too_late' });
  const request = await selectIdentified(ctx, key, waiting);
  if (!request) return;
  const store = REFUND_STORES[request.store];
  const settings = await selectRefundSettings(sql, key);
  const terms = termsFor(settings, request.people);
  const { sampleContentProvided } = settings;
  const isAllowed = decide(request, terms, { used: null, sampleContentProvided });
  if (isAllowed.kind === 'skip') return queries.markNotAnswered(sql, key, isAllowed);
  const { used, evidence } = await readUsed(ctx, key, request, settings);
  const decided = decide(request, terms, { used, sampleContentProvided });
  if (decided.kind === 'skip') return queries.markNotAnswered(sql, key, decided);
  const send = await store.open(ctx, { ...request, ...key });
  const events = evidence && { events: evidence.atMs.length };
  const fixed = await queries.fixAnswer(sql, key, {
    answer: { ...decided.answer, ...events },
    evidence,
  });
  if (!fixed) return;
  try {
    await send(fixed);
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown;
    const { failure, code = null, message } = thrown;
    const end = store.endOf(failure, request.attempts > 0);
    if (end === null) throw thrown;
    const error = code === null ? message : null;
    if (end === 'refused')
      return queries.markNotAnswered(sql, key, { why: 'refused', code, error });
  }
  await queries.markAnswered(sql, key, clock());
}

/** One try. Throws `unavailable` where another may succeed. */
export async function answerRefundRequest(
  ctx: SystemContext<Needs>,
  { orgId, appId, environment, requestId }: RefundRunInput,
): Promise<void> {
  const key = { orgId, appId, environment, requestId };
  try {
    await asOutgoingCall(ctx.deps.sql, orgId, () => answerOnce(ctx, key));
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown;
    const { message: error, code = null, retryAfterSeconds } = thrown;
    await queries.noteFailure(ctx.deps.sql, key, { error, code });
    throw new AppError('unavailable', error, { cause: thrown, retryAfterSeconds });
  }
}

/** Before that the reconciler starts another run. */
export async function giveUpRefundRequest(
  { deps }: SystemContext<'clock' | 'sql'>,
  { orgId, appId, environment, requestId }: RefundRunInput,
): Promise<void> {
  const key = { orgId, appId, environment, requestId };
  const request = await queries.selectWaitingRequest(deps.sql, key);
  if (request && isOver(request, deps.clock())) {
    await queries.markNotAnswered(deps.sql, key, { why: 'too_late' });
  }
}
