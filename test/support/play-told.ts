import type { Body } from '../simulators/play-store/answers.ts';
import type { Scene, Void } from '../simulators/play-store/subscription.ts';
import { PlayLedger } from './play-ledger.ts';
import type { Person } from './play-lives.ts';

const MINUTE = 60_000;
const LONGEST_HANDOVER_MINUTES = 60;

export type Told = {
  scenes: readonly Scene[];
  orders: ReadonlyMap<string, Body>;
  voids: readonly Void[];
  /** Orders as they were; left out where they never change. */
  orderLog?: readonly { at: number; orderId: string; body: Body }[];
};

/** News of a token, which the app hands over itself when it is new; or the list of voids. */
export type Trigger = { at: number; token: string; isNew: boolean } | { at: number; row: Body };

/**
 * News, and what the app hands over: late, repeated, out of order and lost. What the app has just
 * bought or got it hands over soon.
 */
export function* triggersOf({ scenes, voids }: Told, fates: Person['fates']): Generator<Trigger> {
  const seen = new Set<string>();
  for (const [index, { at, told, answers }] of scenes.entries()) {
    const { delayMinutes, copies, isLost } = fates[index % fates.length]!;
    const { lineItems } = answers.get(told) as { lineItems?: { productId: string }[] };
    const isOwned = JSON.stringify(answers.get(told)).includes('rderId"');
    const has = [told, isOwned, ...(lineItems ?? []).map(({ productId }) => productId).toSorted()];
    const isNew = !seen.has(String(has));
    seen.add(String(has));
    if (isLost && !isNew) continue;
    const delay = isNew ? Math.min(delayMinutes, LONGEST_HANDOVER_MINUTES) : delayMinutes;
    for (let copy = 0; copy < copies; copy += 1) {
      yield { at: at + (delay + copy * 37) * MINUTE, token: told, isNew };
    }
  }
  // The list is read each hour.
  for (const [index, { at, row }] of voids.entries()) {
    const delay = fates[index % fates.length]!.delayMinutes % 60;
    yield { at: at + delay * MINUTE, row };
  }
}

const READABLE_AFTER_END = 60 * 86_400_000;

/** An expired subscription is no more after sixty days. */
function isGone(body: Body | undefined, now: number): boolean {
  if (body?.subscriptionState !== 'SUBSCRIPTION_STATE_EXPIRED') return false;
  const ends = (body.lineItems as { expiryTime?: string }[]).map(({ expiryTime }) =>
    Date.parse(expiryTime ?? ''),
  );
  return Math.max(...ends) + READABLE_AFTER_END <= now;
}

/** What the app hands over as it is connected: Play Billing lists what is owned. */
function* listedAt({ scenes }: Told, at: number): Generator<Trigger> {
  const scene = scenes.findLast((one) => one.at <= at);
  const body = scene?.answers.get(scene.current);
  const state = String(body?.subscriptionState ?? 'ACTIVE').replace('SUBSCRIPTION_STATE_', '');
  if (!scene || !['ACTIVE', 'CANCELED', 'IN_GRACE_PERIOD', 'PENDING'].includes(state)) return;
  yield { at, token: scene.current, isNew: true };
}

/**
 * The ledger after everything, with the second looks that the service takes by itself. What came
 * before the app was connected reached nobody.
 */
export async function toldOf(
  told: Told,
  fates: Person['fates'],
  { nowMs, connectedAt }: { nowMs: number; connectedAt: number },
): Promise<PlayLedger> {
  let clock = 0;
  const ledger = new PlayLedger({
    clock: () => clock,
    answer: (token) => {
      const body = told.scenes.findLast(({ at }) => at <= clock)?.answers.get(token);
      return isGone(body, clock) ? undefined : body;
    },
    order: (orderId) =>
      told.orderLog
        ? told.orderLog.findLast((one) => one.orderId === orderId && one.at <= clock)?.body
        : told.orders.get(orderId),
  });
  const askAll = async () => {
    for (const token of ledger.hinted) {
      ledger.hinted.delete(token);
      await ledger.ask(token, clock);
    }
  };
  const listVoids = async () => {
    const rows = told.voids.filter(({ at }) => at <= clock).map(({ row }) => row);
    for (const row of rows) ledger.void(row, clock);
    await askAll();
    for (const row of rows) ledger.void(row, clock);
  };
  const waiting = [...triggersOf(told, fates), ...listedAt(told, connectedAt)]
    .filter(({ at }) => at >= connectedAt)
    .toSorted((a, b) => a.at - b.at);
  let isConnected = false;
  for (;;) {
    const [due] = [...ledger.tokens]
      .filter(([, { askAt }]) => askAt !== null)
      .toSorted(([, a], [, b]) => a.askAt! - b.askAt!);
    const dueAt = due?.[1].askAt ?? Infinity;
    const next = waiting[0]?.at ?? Infinity;
    const connects = isConnected ? Infinity : connectedAt;
    if (Math.min(dueAt, next, connects) > nowMs) break;
    clock = Math.max(clock, Math.min(dueAt, next, connects));
    if (connects <= clock) {
      isConnected = true;
      await listVoids();
    } else if (due && dueAt <= next) {
      due[1].askAt = null;
      await ledger.ask(due[0], clock);
    } else {
      const trigger = waiting.shift();
      if (trigger && 'row' in trigger) await listVoids();
      else if (trigger) await ledger.ask(trigger.token, clock);
    }
    await askAll();
  }
  clock = nowMs;
  const last = told.scenes.at(-1);
  for (const token of new Set([...ledger.tokens.keys(), last?.current ?? ''])) {
    await ledger.ask(token, nowMs);
    await askAll();
  }
  await listVoids();
  return ledger;
}
