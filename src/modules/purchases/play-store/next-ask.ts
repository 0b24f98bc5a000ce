import type { Deps } from '../../../context.ts';
import type { PlayProduct, PlaySubscription } from '../../../providers/play-store/port.ts';
import { errorMessage } from '../../../shared/errors.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/time.ts';
import type { PlayAnswer } from './ask.ts';
import type { OpenPlayKey } from './connection.ts';
import { recordAcknowledgement, type TokenDue } from './due-queries.ts';

/** More than the three days after which Google refunds. */
const MAX_TRIES = 100;

export async function acknowledgePurchase(
  deps: Pick<Deps, 'clock' | 'playStore' | 'sql'>,
  { key, packageName }: OpenPlayKey,
  due: TokenDue,
): Promise<void> {
  const { purchaseToken, kind, tries } = due;
  try {
    await deps.playStore.acknowledge(key, { packageName, purchaseToken, kind });
    await recordAcknowledgement(deps.sql, due, { nextAt: null, error: null });
  } catch (thrown) {
    const nextAt = new Date(deps.clock().getTime() + backoffMs(tries));
    await recordAcknowledgement(deps.sql, due, {
      nextAt: tries < MAX_TRIES ? nextAt : null,
      error: errorMessage(thrown),
    });
  }
}

/** Google may charge some time after the end. */
const AFTER_THE_END_MS = 5 * MINUTE_MS;
const WAITING_MS = 6 * HOUR_MS;
const AFTER_A_FAULT_MS = MINUTE_MS;
const LONGEST_MS = HOUR_MS;
const PRICE_AGAIN_MS = 6 * HOUR_MS;
const REFUND_AGAIN_MS = 7 * DAY_MS;

/** A second look, in case that a notification is lost. Null: there is nothing to expect. */
export function nextAskOf({ state, lines }: PlaySubscription, at: Date): Date | null {
  const now = at.getTime();
  if (state === 'expired' || state === 'pending_canceled') return null;
  if (state === 'pending') return new Date(now + WAITING_MS);
  if (state === 'hold' || state === 'paused') return new Date(now + DAY_MS);
  const ends = lines.flatMap(({ expiresAt }) => expiresAt ?? []);
  const end = Math.min(...ends) + AFTER_THE_END_MS;
  // The money may come at any time.
  const next = state === 'grace' ? Math.min(end, now + DAY_MS) : end;
  // A late renewal, or an end without a state of its own.
  return new Date(now < next && Number.isFinite(next) ? next : now + HOUR_MS);
}

export const nextAskOfProduct = ({ state }: PlayProduct, at: Date): Date | null =>
  state === 'pending' ? new Date(at.getTime() + WAITING_MS) : null;

export function nextAsk(answer: PlayAnswer, at: Date, isReplaced: boolean): Date | null {
  const { kind, purchase, isUnpriced, orders, settled } = answer;
  const next = kind === 'subscription' ? nextAskOf(purchase, at) : nextAskOfProduct(purchase, at);
  const isOpen = orders.some(({ orderId }) => !settled.includes(orderId));
  const waitMs = isUnpriced ? PRICE_AGAIN_MS : isOpen ? REFUND_AGAIN_MS : null;
  const times = [isReplaced ? null : next?.getTime(), waitMs && at.getTime() + waitMs];
  const known = times.filter((time) => typeof time === 'number');
  return known.length === 0 ? null : new Date(Math.min(...known));
}

export const backoffMs = (tries: number): number =>
  Math.min(LONGEST_MS, AFTER_A_FAULT_MS * 2 ** Math.min(tries, 10));
