import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import {
  bearerToken,
  createStoreServer,
  storeWaitSeconds,
} from '../../../src/providers/store-server/client.ts';
import type { PurchaseKey, StoreServer } from '../../../src/providers/store-server/port.ts';
import { createSignatureVerifier } from '../../../src/providers/store-server/verifier.ts';
import { readPrivateKey } from '../../../src/shared/app-store-token.ts';
import { ProviderError } from '../../../src/shared/provider-error.ts';
import { HTML_500 } from '../../simulators/kit/faults.ts';
import { notificationPayload } from '../../simulators/store-server/payloads.ts';
import { createPki } from '../../simulators/store-server/pki.ts';
import {
  type StoreServerSimulator,
  startStoreServer,
  tooManyRequests,
} from '../../simulators/store-server/server.ts';
import { SimulatedSubscription } from '../../simulators/store-server/subscription.ts';

const BUNDLE = 'com.example.focus';
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key: PurchaseKey = {
  issuerId: '57246542-96fe-1a63-e053-0824d011072a',
  keyId: 'ABC1234567',
  privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  bundleId: BUNDLE,
};

let simulator: StoreServerSimulator;
let store: StoreServer;

beforeAll(async () => {
  simulator = await startStoreServer(await createPki());
  simulator.addApp(BUNDLE);
  store = createStoreServer({
    // The trailing slash of a configured address must not matter.
    baseUrls: { Production: `${simulator.production.url}/`, Sandbox: simulator.sandbox.url },
    verifier: createSignatureVerifier({ roots: [simulator.pki.rootDer] }),
    clock: () => new Date(),
  });
});
afterAll(() => simulator.stop());
beforeEach(() => {
  simulator.production.faults.clear();
  simulator.addKey({ keyId: key.keyId, issuerId: key.issuerId, publicKey: pair.publicKey });
});

async function failureOf(work: Promise<unknown>): Promise<ProviderError> {
  try {
    await work;
  } catch (thrown) {
    if (thrown instanceof ProviderError) return thrown;
    throw thrown;
  }
  throw new Error('It was expected to fail.');
}

function subscribe() {
  const subscription = new SimulatedSubscription({
    bundleId: BUNDLE,
    environment: 'Production',
    start: Date.now() - 86_400_000,
  });
  const { transaction, renewal, status } = subscription.answer();
  simulator.setChain('Production', [{ groupId: '21', status, transaction, renewal }]);
  return subscription;
}

describe('a key', () => {
  test('is accepted when the store knows it', async () => {
    await store.checkKey(key);
  });

  test('is accepted for an app that is in the sandbox only', async () => {
    simulator.addApp('com.example.soon', { onSale: false });
    await store.checkKey({ ...key, bundleId: 'com.example.soon' });
  });

  test('is refused when the store does not know it, its issuer or its secret', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const wrong = [
      { ...key, keyId: 'ZZZ' },
      { ...key, issuerId: 'other' },
      { ...key, privateKey: other.export({ type: 'pkcs8', format: 'pem' }).toString() },
      { ...key, bundleId: 'com.example.other' },
    ];
    for (const one of wrong) {
      expect((await failureOf(store.checkKey(one))).failure).toBe('unauthorized');
    }
  });

  test('must be PKCS#8 on P-256', () => {
    const pem = (type: 'P-256' | 'P-384') =>
      generateKeyPairSync('ec', { namedCurve: type })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString();
    expect(readPrivateKey(pem('P-256'))).not.toBeNull();
    expect(() => readPrivateKey(pem('P-384'))).toThrow();
    expect(() =>
      readPrivateKey('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'),
    ).toThrow();
  });

  test('signs tokens of five minutes for one app', async () => {
    const token = await bearerToken(key, new Date('2026-05-01T00:00:00Z'));
    const [, claims] = token.split('.');
    const { iat, exp, bid, aud } = JSON.parse(Buffer.from(claims ?? '', 'base64url').toString());
    expect(exp - iat).toBe(300);
    expect({ bid, aud }).toEqual({ bid: BUNDLE, aud: 'appstoreconnect-v1' });
  });
});

describe('answers', () => {
  test('subscription statuses are opened and verified', async () => {
    const subscription = subscribe();
    const [item] = await store.subscriptionStatuses(
      key,
      'Production',
      subscription.originalTransactionId,
    );
    expect(item).toMatchObject({ status: 'active', renewal: { snapshot: { willRenew: true } } });
    expect(item?.transaction.snapshot.productId).toBe('pro.monthly');
  });

  test('one transaction is found in its environment only', async () => {
    const { originalTransactionId } = subscribe();
    const found = await store.transaction(key, 'Production', originalTransactionId);
    expect(found.snapshot.transactionId).toBe(originalTransactionId);
    const failed = await failureOf(store.transaction(key, 'Sandbox', originalTransactionId));
    expect(failed.failure).toBe('not_found');
  });

  test('the notification history is read to its last page', async () => {
    const data = { bundleId: BUNDLE, bundleVersion: '1', environment: 'Sandbox' };
    const sent = Array.from({ length: 45 }, () =>
      simulator.notify('Sandbox', notificationPayload({ notificationType: 'TEST', data })),
    );
    const window = { startMs: Date.now() - 3_600_000, endMs: Date.now() + 1_000 };
    const read: string[] = [];
    let token: string | null = null;
    do {
      const page = await store.notificationHistory(key, 'Sandbox', window, token);
      read.push(...page.signedPayloads);
      token = page.paginationToken;
    } while (token !== null);
    expect(read).toEqual(sent);
  });

  test('a start too far in the past is the caller’s fault', async () => {
    const window = { startMs: Date.now() - 40 * 86_400_000, endMs: Date.now() };
    const failed = await failureOf(store.notificationHistory(key, 'Sandbox', window, null));
    expect(failed.failure).toBe('invalid');
  });

  test('a test notification can be asked for', async () => {
    expect(await store.requestTestNotification(key, 'Production')).toContain('_');
  });

  test('what is not signed by the pinned root is refused although it comes from the store', async () => {
    const other = await startStoreServer(await createPki());
    other.addApp(BUNDLE);
    other.addKey({ keyId: key.keyId, issuerId: key.issuerId, publicKey: pair.publicKey });
    const subscription = new SimulatedSubscription({
      bundleId: BUNDLE,
      environment: 'Production',
      start: Date.now(),
    });
    other.addTransaction(subscription.newest);
    const fooled = createStoreServer({
      baseUrls: { Production: other.production.url, Sandbox: other.sandbox.url },
      verifier: createSignatureVerifier({ roots: [simulator.pki.rootDer] }),
      clock: () => new Date(),
    });
    const asked = fooled.transaction(key, 'Production', subscription.newest.transactionId);
    expect(asked).rejects.toThrow('refused: signature');
    await asked.catch(() => undefined);
    await other.stop();
  });
});

describe('trouble', () => {
  test('429 says when to come back, in milliseconds since the epoch', async () => {
    simulator.production.faults.next(tooManyRequests(Date.now() + 30_000));
    const failed = await failureOf(store.transaction(key, 'Production', '5'));
    expect(failed.failure).toBe('rate_limited');
    expect(failed.retryAfterSeconds).toBeGreaterThanOrEqual(29);
    expect(failed.retryAfterSeconds).toBeLessThanOrEqual(31);
  });

  test('a time to wait is read with care', () => {
    const now = new Date(1_780_000_000_000);
    expect(storeWaitSeconds(String(now.getTime() + 5_000), now)).toBe(5);
    expect(storeWaitSeconds(String(now.getTime() - 5_000), now)).toBe(1);
    expect(storeWaitSeconds('20', now)).toBe(20);
    expect(storeWaitSeconds(null, now)).toBe(60);
    expect(storeWaitSeconds('soon', now)).toBe(60);
    expect(storeWaitSeconds(String(now.getTime() + 1e12), now)).toBe(900);
  });

  test('5xx, a cut answer, a closed connection and a 404 that passes are outages', async () => {
    const passing = { errorCode: 4040006, errorMessage: 'Try again.' };
    const faults = [
      HTML_500,
      { kind: 'status' as const, status: 503 },
      { kind: 'hang_up' as const },
      { kind: 'cut' as const },
      { kind: 'status' as const, status: 404, body: JSON.stringify(passing) },
    ];
    const { originalTransactionId } = subscribe();
    for (const fault of faults) {
      // A read whose reused connection was closed is sent again by the runtime itself.
      simulator.production.faults.next(fault, { times: fault.kind === 'hang_up' ? 5 : 1 });
      const asked = store.transaction(key, 'Production', originalTransactionId);
      expect((await failureOf(asked)).failure).toBe('unavailable');
      simulator.production.faults.clear();
    }
  });

  test('a success that is something else is told as malformed', async () => {
    for (const body of ['{}', '<html>', '{"signedTransactionInfo":7}']) {
      simulator.production.faults.next({ kind: 'body', body });
      const failed = await failureOf(store.transaction(key, 'Production', '5'));
      expect(failed.failure).toBe('malformed');
    }
  });
});
