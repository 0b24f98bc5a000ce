import { afterAll, describe, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { createPlayStore } from '../../../../src/providers/play-store/client.ts';
import { readServiceAccount } from '../../../../src/shared/google-grant.ts';
import google from '../../../fixtures/wire/google-play-node.json';
import { type SimulatorRequest, startSimulator } from '../../../simulators/kit/server.ts';

/*
 * `google-play-node.json`: what Google's own client sends, recorded by `test/compat/record.ts`.
 * Sent as it stands, equal requests are understood alike.
 */

const { packageName, token, orderId } = google.asked;
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

const SUBSCRIPTION = {
  subscriptionState: 'SUBSCRIPTION_STATE_ACTIVE',
  lineItems: [{ productId: 'pro' }],
};
const PRODUCT = {
  purchaseStateContext: { purchaseState: 'PURCHASED' },
  productLineItem: [{ productId: 'coins' }],
};
const GRANTED = { access_token: 'ya29.recorded', expires_in: 3_599, token_type: 'Bearer' };

const sent: SimulatorRequest[] = [];
const simulator = await startSimulator((request) => {
  sent.push(request);
  if (request.path === '/token') return { status: 200, json: GRANTED };
  const json = request.path.includes('products') ? PRODUCT : SUBSCRIPTION;
  return { status: 200, json: { orderId, lineItems: [], ...json } };
});
afterAll(() => simulator.stop());

const store = createPlayStore({
  baseUrl: simulator.url,
  tokenUrl: `${simulator.url}/token`,
  clock: () => new Date(),
});
const key = readServiceAccount(
  JSON.stringify({
    type: 'service_account',
    private_key_id: 'a1b2',
    private_key: privateKey,
    client_email: google.grant.claims.iss,
  }),
);

const purchase = { packageName, purchaseToken: token };
const sinceMs = 1_764_072_000_000;
const CALLS: Readonly<Record<keyof typeof google.calls, () => Promise<unknown>>> = {
  subscription: () => store.subscription(key, purchase),
  product: () => store.product(key, purchase),
  order: () => store.order(key, { packageName, orderId }),
  voided: () => store.voided(key, { packageName, sinceMs, page: null }),
  voidedPage: () => store.voided(key, { packageName, sinceMs, page: token }),
  acknowledgeSubscription: () => store.acknowledge(key, { ...purchase, kind: 'subscription' }),
  acknowledgeProduct: () => store.acknowledge(key, { ...purchase, kind: 'product' }),
};

describe("a request is byte for byte that of Google's own client", () => {
  test.each(Object.entries(CALLS))('%s', async (name, call) => {
    await call();
    const recorded = google.calls[name as keyof typeof google.calls];
    const { origin } = new URL(recorded.url);
    const [last, line] = [sent.at(-1)!, simulator.requests.at(-1)];
    expect(line).toBe(`${recorded.method} ${recorded.url.slice(origin.length)}`);
    expect(last.body).toBe(recorded.body ?? '');
    expect(last.headers).toMatchObject(recorded.headers);
  });

  test('the grant, but for the name of the key', () => {
    const { form, header, claims, lifetimeSeconds, ...recorded } = google.grant;
    const [first] = sent;
    expect([first?.method, first?.path]).toEqual([recorded.method, new URL(recorded.url).pathname]);
    const { assertion = '', ...others } = Object.fromEntries(new URLSearchParams(first?.body));
    expect(others).toEqual(form);
    const { iat = 0, exp = 0, ...said } = decodeJwt(assertion);
    expect([said, exp - iat]).toEqual([claims, lifetimeSeconds]);
    const { kid, typ, ...named } = decodeProtectedHeader(assertion);
    expect([kid, typ, named]).toEqual(['a1b2', 'JWT', header]);
  });
});
