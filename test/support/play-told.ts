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

/** The ledger after everything, with the second looks that the service takes by itself. */
export function toldOf(told: Told, fates: Person['fates'], nowMs: number): PlayLedger {
  let clock = 0;
  const ledger = new PlayLedger({
    answer: (token) => told.scenes.findLast(({ at }) => at <= clock)?.answers.get(token),
    order: (orderId) => told.orders.get(orderId),
  });
  const waiting = [...triggersOf(told, fates)].toSorted((a, b) => a.at - b.at);
  for (;;) {
    const [due] = [...ledger.tokens]
      .filter(([, { askAt }]) => askAt !== null)
      .toSorted(([, a], [, b]) => a.askAt! - b.askAt!);
    const dueAt = due?.[1].askAt ?? Infinity;
    const next = waiting[0]?.at ?? Infinity;
    if (Math.min(dueAt, next) > nowMs) break;
    clock = Math.max(clock, Math.min(dueAt, next));
    if (due && dueAt <= next) {
      due[1].askAt = null;
      ledger.ask(due[0], clock);
      continue;
    }
    const trigger = waiting.shift();
    if (trigger && 'row' in trigger) ledger.void(trigger.row, clock);
    else if (trigger) ledger.ask(trigger.token, clock);
  }
  clock = nowMs;
  for (const token of told.scenes.at(-1)?.answers.keys() ?? []) ledger.ask(token, nowMs);
  for (const { row } of told.voids) ledger.void(row, nowMs);
  return ledger;
}
