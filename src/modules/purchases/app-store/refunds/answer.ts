import type { SystemContext } from '../../../../context.ts';
import type { PurchaseKey } from '../../../../providers/store-server/port.ts';
import { AppError } from '../../../../shared/errors.ts';
import { ProviderError, type ProviderFailure } from '../../../../shared/provider-error.ts';
import { MINUTE_MS } from '../../../../shared/time.ts';
import type { RefundRunInput } from '../../../../temporal/contracts/purchases.ts';
import type { RefundSettings } from '../../model/refunds.ts';
import { selectAskableApp } from '../connection-queries.ts';
import { askStore, openPurchaseKey } from '../purchase-key.ts';
import { countUses } from './count-uses.ts';
import { decide, termsFor, usedMillipercent } from './decide.ts';
import {
  fixAnswer,
  markAnswered,
  markNotAnswered,
  noteFailure,
  type RequestKey,
  selectWaitingRequest,
  type WaitingRequest,
} from './requests-queries.ts';
import { selectRefundSettings } from './settings-queries.ts';

type Needs = 'clock' | 'queries' | 'secrets' | 'sql' | 'storeServer';

/** The store's clock may be ahead. */
const SPARE_MS = MINUTE_MS;

const FINAL: ReadonlySet<ProviderFailure> = new Set([
  ...(['invalid', 'not_found', 'forbidden', 'conflict'] as const),
]);

const isOver = ({ answerBy }: WaitingRequest, now: Date): boolean =>
  now.getTime() >= answerBy.getTime() - SPARE_MS;

const NO_KEY = 'No purchase key is connected.';

async function readUsed(
  ctx: SystemContext<'clock' | 'queries'>,
  key: RequestKey,
  request: WaitingRequest,
  { products }: RefundSettings,
): Promise<number | null> {
  const rule = products.find(({ productId }) => productId === request.productId);
  const { userIds, anonymousIds, purchasedAt, quantity } = request;
  const uses =
    rule?.used === 'events' && rule.eventName !== undefined
      ? await countUses(ctx, key, {
          personIds: [...userIds, ...anonymousIds],
          eventName: rule.eventName,
          since: purchasedAt,
        })
      : 0;
  return usedMillipercent(rule, { quantity, uses });
}

async function openKey(
  ctx: SystemContext<'secrets' | 'sql'>,
  key: RequestKey,
): Promise<PurchaseKey> {
  const { deps } = ctx;
  const app = await selectAskableApp(deps.sql, key.orgId, key.appId);
  const found = app && (await openPurchaseKey({ deps, orgId: key.orgId }, app.bundleId));
  if (found) return found;
  await noteFailure(deps.sql, key, { error: NO_KEY });
  throw new AppError('unavailable', NO_KEY);
}

/** One try. Throws `unavailable` where another may succeed. */
export async function answerRefundRequest(
  ctx: SystemContext<Needs>,
  { orgId, appId, environment, requestId }: RefundRunInput,
): Promise<void> {
  const { deps } = ctx;
  const key = { orgId, appId, environment, requestId };
  const request = await selectWaitingRequest(deps.sql, key);
  if (!request) return;
  if (isOver(request, deps.clock())) {
    return markNotAnswered(deps.sql, key, { why: 'too_late' });
  }
  const settings = await selectRefundSettings(deps.sql, { orgId, appId });
  const terms = termsFor(settings, request.people);
  const { sampleContentProvided } = settings;
  const isAllowed = decide(request, terms, { used: null, sampleContentProvided });
  if (isAllowed.kind === 'skip') return markNotAnswered(deps.sql, key, isAllowed);
  const used = await readUsed(ctx, key, request, settings);
  const decided = decide(request, terms, { used, sampleContentProvided });
  if (decided.kind === 'skip') return markNotAnswered(deps.sql, key, decided);
  const purchaseKey = await openKey(ctx, key);
  const fixed = await fixAnswer(deps.sql, key, decided.consumption);
  if (!fixed) return;
  const { transactionId } = request;
  try {
    await askStore({ deps, orgId }, purchaseKey, () =>
      deps.storeServer.sendConsumption(purchaseKey, environment, transactionId, fixed),
    );
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown;
    const code = thrown.code ?? null;
    if (FINAL.has(thrown.failure)) {
      return markNotAnswered(deps.sql, key, { why: 'refused', code });
    }
    await noteFailure(deps.sql, key, { error: thrown.message, code });
    throw new AppError('unavailable', thrown.message, {
      cause: thrown,
      retryAfterSeconds: thrown.retryAfterSeconds,
    });
  }
  await markAnswered(deps.sql, key, deps.clock());
}

/** Before that the reconciler starts another run. */
export async function giveUpRefundRequest(
  { deps }: SystemContext<'clock' | 'sql'>,
  { orgId, appId, environment, requestId }: RefundRunInput,
): Promise<void> {
  const key = { orgId, appId, environment, requestId };
  const request = await selectWaitingRequest(deps.sql, key);
  if (request && isOver(request, deps.clock())) {
    await markNotAnswered(deps.sql, key, { why: 'too_late' });
  }
}
