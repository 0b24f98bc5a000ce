import type { Deps, SystemContext } from '../../../context.ts';
import { toAccountToken } from '../../../shared/account-token.ts';
import type { AppScope } from '../../../shared/app.ts';
import { limitConcurrency } from '../../../shared/concurrency.ts';
import { askAgainIfRefused, isOfTheKey } from '../../../shared/google-errors.ts';
import { ProviderError } from '../../../shared/provider-error.ts';
import { SECOND_MS } from '../../../shared/time.ts';
import { playPurchasesContract } from '../../../temporal/contracts/purchases.ts';
import { ensureAll } from '../../../temporal/ensure.ts';
import { claimChain } from '../ownership/claim.ts';
import { askOfAnyKind, askPlay } from './ask.ts';
import { clearPlayRefusal, recordPlayCheck } from './connection-queries.ts';
import { type OpenPlayKey, openPlayKey } from './connection.ts';
import * as queries from './due-queries.ts';
import { acknowledgePurchase, backoffMs } from './next-ask.ts';
import { isOfTheToken } from './read-orders.ts';
import { recordAndAnnounce } from './record-purchase.ts';

const APPS = 2_000;

export async function reconcilePlayStore({
  clock,
  sql,
  temporal,
}: Pick<Deps, 'clock' | 'sql' | 'temporal'>): Promise<void> {
  const apps = await queries.selectAppsDue(sql, { now: clock(), limit: APPS });
  await ensureAll(apps, (app) => temporal.ensure(playPurchasesContract, app));
}

type AskContext = SystemContext<'clock' | 'playStore' | 'secrets' | 'sql'>;

export type PlayRound = { asked: number; acknowledged: number; goesOn: boolean };

/** 100 answers of five seconds, eight at once, fit into the time of the activity. */
const BATCH = 100;
const AT_ONCE = 8;
const MAX_TRIES = 100;

async function postpone(
  { deps }: AskContext,
  due: queries.AskDue,
  askedAt: Date,
  thrown: ProviderError,
) {
  const isGone = isOfTheToken(thrown) && (due.isReplaced || due.tries >= MAX_TRIES);
  const waitMs = (thrown.retryAfterSeconds ?? 0) * SECOND_MS;
  const next = deps.clock().getTime() + Math.max(waitMs, backoffMs(due.tries));
  const nextAt = isGone ? null : new Date(next);
  await queries.postponeAsk(deps.sql, due, { nextAt, error: thrown.message, askedAt });
}

/** A purchase that Google does not have says nothing of the key. */
const isRefusalOfTheKey = (thrown: unknown): thrown is ProviderError =>
  isOfTheKey(thrown) && thrown.failure !== 'not_found';

/** An error of Google is never an end: what is known stays. */
async function askAbout(
  ctx: AskContext,
  opened: OpenPlayKey,
  due: queries.AskDue,
): Promise<'answered' | 'failed' | 'refused'> {
  const { deps } = ctx;
  const { orgId, appId, purchaseToken } = due;
  const askedAt = deps.clock();
  try {
    const ask = due.isKnown ? askPlay : askOfAnyKind;
    const answer = await askAgainIfRefused(() => ask(deps, opened, due), isRefusalOfTheKey);
    const { packageName } = opened;
    const at = deps.clock();
    await deps.sql.begin(async (tx) => {
      const record = { packageName, purchaseToken, answer, askedAt, at };
      const chain = await recordAndAnnounce(tx, { orgId, appId }, record);
      if (toAccountToken(answer.purchase.accountId) === null) return;
      const nobody = { userId: null, anonymousId: null };
      await claimChain(tx, chain, { rule: 'keep', ...nobody, actor: { kind: 'store' }, at });
    });
    return 'answered';
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown;
    await postpone(ctx, due, askedAt, thrown);
    if (!isRefusalOfTheKey(thrown)) return 'failed';
    const { privateKeyId } = opened.key;
    const checked = { privateKeyId, at: deps.clock(), error: thrown.message };
    await recordPlayCheck(deps.sql, { orgId, appId }, checked);
    return 'refused';
  }
}

/** All due purchases of an app. Throws errors of the database only. */
export async function askPlayPurchases(ctx: AskContext, scope: AppScope): Promise<PlayRound> {
  const { deps } = ctx;
  const { orgId, appId } = scope;
  const opened = await openPlayKey({ deps, orgId }, appId);
  if (!opened) return { asked: 0, acknowledged: 0, goesOn: false };
  const limited = limitConcurrency(AT_ONCE);
  const due = () => ({ now: deps.clock(), limit: BATCH });
  const asks = await queries.selectAsksDue(deps.sql, scope, due());
  const ends = await Promise.all(asks.map((ask) => limited(() => askAbout(ctx, opened, ask))));
  if (ends.includes('answered') && !ends.includes('refused')) {
    const { privateKeyId } = opened.key;
    await clearPlayRefusal(deps.sql, scope, { privateKeyId, at: deps.clock() });
  }
  const unacknowledged = await queries.selectAcknowledgementsDue(deps.sql, scope, due());
  await Promise.all(
    unacknowledged.map((one) => limited(() => acknowledgePurchase(deps, opened, one))),
  );
  const most = Math.max(asks.length, unacknowledged.length);
  return {
    asked: asks.length,
    acknowledged: unacknowledged.length,
    goesOn: most === BATCH,
  };
}
