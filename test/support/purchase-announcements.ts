import { expect } from 'bun:test';
import { must } from '../../src/shared/assert.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/shared/time.ts';
import type { Told } from '../simulators/store-server/subscription.ts';
import { orderOf } from './purchase-lives.ts';

/** A notification, and when it comes. */
export type Delivery = { told: Told; receivedAt: number };

/** A webhook about a purchase; `data` without the app's id. */
export type Announced = { type: string; data: Record<string, unknown> };

const BEGINNINGS = [
  'subscription.started.v1',
  'subscription.trial_started.v1',
  'subscription.trial_converted.v1',
  'subscription.renewed.v1',
  'subscription.product_changed.v1',
];
/** Which of them a period is depends on the periods before it. */
const FURTHER = BEGINNINGS.slice(2);
const STATES = [
  'subscription.canceled.v1',
  'subscription.uncanceled.v1',
  'subscription.billing_issue.v1',
  'subscription.expired.v1',
];
const GIVEN_BACK = ['purchase.refunded.v1', 'purchase.unshared.v1', 'purchase.refund_reversed.v1'];

/** Older things are history. */
const NEWS_MS = 4 * DAY_MS;

const atOnce = (told: Told): Delivery => ({ told, receivedAt: told.signedDate + SECOND_MS });

/** As the store signed it. */
export const inOrder = (told: readonly Told[]): Delivery[] => told.map(atOnce);

/** In any order, some of it twice; each as old as if it had come at once. */
export const inAnyOrder = (told: readonly Told[], random: () => number): Delivery[] =>
  orderOf(told, random).map(atOnce);

/** At once or an hour later, some of it again an hour after that. */
export const anHourLate = (told: readonly Told[], random: () => number): Delivery[] =>
  told
    .flatMap((one) => {
      const receivedAt = one.signedDate + (random() < 0.5 ? SECOND_MS : HOUR_MS);
      return [receivedAt, ...(random() < 0.25 ? [receivedAt + HOUR_MS] : [])].map((at) => ({
        told: one,
        receivedAt: at,
      }));
    })
    .toSorted((a, b) => a.receivedAt - b.receivedAt);

/** Without what was signed before something that had come already. */
export function notOvertaken(deliveries: readonly Delivery[]): Delivery[] {
  let newest = 0;
  return deliveries.filter(({ told }) => {
    const isNewer = told.signedDate > newest;
    newest = Math.max(newest, told.signedDate);
    return isNewer;
  });
}

export const isOvertaken = (deliveries: readonly Delivery[]): boolean =>
  notOvertaken(deliveries).length < new Set(deliveries.map(({ told }) => told)).size;

/** When each transaction is heard of first, by its id. */
function firstHeard(deliveries: readonly Delivery[]): Map<string, Delivery & { place: number }> {
  const first = new Map<string, Delivery & { place: number }>();
  for (const [place, one] of deliveries.entries()) {
    const { transactionId } = one.told.transaction;
    if (!first.has(transactionId)) first.set(transactionId, { ...one, place });
  }
  return first;
}

/** What is given back and taken again of each transaction, by the newest that is known of it. */
function givenBack(deliveries: readonly Delivery[]): string[] {
  const newest = new Map<string, Told>();
  return deliveries.flatMap(({ told, receivedAt }) => {
    const { transactionId, revocationDate, inAppOwnershipType } = told.transaction;
    const before = newest.get(transactionId);
    if (before && before.signedDate >= told.signedDate) return [];
    newest.set(transactionId, told);
    const wasRevoked = before?.transaction.revocationDate !== undefined;
    if (wasRevoked === (revocationDate !== undefined)) return [];
    if (receivedAt - (revocationDate ?? told.signedDate) >= NEWS_MS) return [];
    const isShared = inAppOwnershipType === 'FAMILY_SHARED';
    const revoked = isShared ? 'purchase.unshared.v1' : 'purchase.refunded.v1';
    const type = wasRevoked ? 'purchase.refund_reversed.v1' : revoked;
    return [`${type} ${transactionId}`];
  });
}

const keysOf = (all: readonly Announced[], types: readonly string[], field?: string) =>
  all
    .filter(({ type }) => types.includes(type))
    .map(({ type, data }) => `${type} ${data.transactionId}${field ? ` ${data[field]}` : ''}`)
    .toSorted();

const beginningsOf = (all: readonly Announced[]) =>
  Map.groupBy(
    all.filter(({ type }) => BEGINNINGS.includes(type)),
    ({ data }) => String(data.transactionId),
  );

/** Each transaction is announced once as bought; which further period it is goes by what is known. */
function expectBeginnings(
  all: readonly Announced[],
  asSigned: readonly Announced[],
  deliveries: readonly Delivery[],
): void {
  const [begun, wanted] = [beginningsOf(all), beginningsOf(asSigned)];
  const heard = firstHeard(deliveries);
  for (const [transactionId, { told, receivedAt, place }] of heard) {
    const { purchaseDate } = told.transaction;
    const types = (begun.get(transactionId) ?? []).map(({ type }) => type);
    const isNews = receivedAt - purchaseDate < NEWS_MS;
    expect([transactionId, types.length]).toEqual([transactionId, isNews ? 1 : 0]);
    const [is, was] = [types[0], wanted.get(transactionId)?.[0]?.type];
    if (is === undefined || is === was) continue;
    const isEarlierLate = [...heard.values()].some(
      (other) => other.told.transaction.purchaseDate < purchaseDate && other.place > place,
    );
    const areFurther = [is, was].every((type) => type !== undefined && FURTHER.includes(type));
    expect({ is, was, isEarlierLate, areFurther }).toEqual({
      ...{ is, was },
      ...{ isEarlierLate: true, areFurther: true },
    });
  }
}

const STILL_RUNS = [1, 3, 4];

/** A commitment is paid in parts: each is charged, whether or not another commitment follows. */
const renews = ({ renewal }: Told) =>
  renewal.commitmentInfo?.commitmentAutoRenewStatus ?? renewal.autoRenewStatus;

/**
 * Turns of the renewal that come with a period which only overtaken notifications have told of: known
 * already, it is announced as turned, and new, as bought so.
 */
function turnsOfKnown(deliveries: readonly Delivery[]): string[] {
  const heard = firstHeard(deliveries);
  const newest = notOvertaken(deliveries);
  return newest.flatMap(({ told }, index) => {
    const { transaction, status, signedDate } = told;
    const { transactionId } = transaction;
    const before = newest[index - 1];
    const isNew = newest
      .slice(0, index)
      .every((one) => one.told.transaction.transactionId !== transactionId);
    const isKnown = heard.get(transactionId)?.told !== told;
    if (!isNew || !isKnown || !before || renews(before.told) === renews(told)) return [];
    if (!STILL_RUNS.includes(status)) return [];
    const type = renews(told) === 1 ? 'subscription.uncanceled.v1' : 'subscription.canceled.v1';
    return [`${type} ${transactionId} ${new Date(signedDate).toISOString()}`];
  });
}

export type AnnouncedOfLife = {
  deliveries: readonly Delivery[];
  all: readonly Announced[];
  /** Where everything comes as it was signed. */
  asSigned: readonly Announced[];
  /** Where what is overtaken never comes. */
  withoutOvertaken: readonly Announced[];
};

/** The webhooks of one life are those of the order in which the store signed, but for what docs/webhooks.md says. */
export function expectSameAnnounced(given: AnnouncedOfLife): void {
  const { deliveries, all, asSigned, withoutOvertaken } = given;
  const whole = (announced: readonly Announced[]) =>
    announced.map((one) => JSON.stringify(one)).toSorted();
  if (!isOvertaken(deliveries)) expect(whole(all)).toEqual(whole(asSigned));
  expectBeginnings(all, asSigned, deliveries);
  expect(keysOf(all, GIVEN_BACK)).toEqual(givenBack(deliveries).toSorted());
  const turned = isOvertaken(deliveries) ? turnsOfKnown(deliveries) : [];
  expect(keysOf(all, STATES, 'occurredAt')).toEqual(
    [...keysOf(withoutOvertaken, STATES, 'occurredAt'), ...turned].toSorted(),
  );
  const known = [...BEGINNINGS, ...GIVEN_BACK, ...STATES];
  expect(new Set(all.map(({ type }) => type)).difference(new Set(known))).toEqual(new Set());
}

/** By the life that they are about. */
export function announcedByLife(rows: readonly Announced[], appId: string) {
  return Map.groupBy(
    rows.map(({ type, data: { appId: of, ...data } }) => {
      expect(of).toBe(appId);
      return { type, data };
    }),
    ({ data }) => String(must(data.originalTransactionId, 'a purchase has its first transaction')),
  );
}
