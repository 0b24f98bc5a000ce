import { afterAll, describe, expect, test } from 'bun:test';
import type { AskError, EntitlementStorage } from '../../../clients/web/src/ask-types.ts';
import { createExperiments } from '../../../clients/web/src/experiments.ts';
import { createPurchases } from '../../../clients/web/src/purchases.ts';
import { inReactNative } from '../../support/clients/react-native.ts';

const ARM = { experimentId: 'exp_1', experimentName: 'Long', armId: 'b', armName: 'Short' };
const ASSIGNMENT = {
  onboarding: { id: 'onb_1', name: 'Short', config: { screens: [] } },
  arm: ARM,
};
const ENTITLED = {
  entitled: true,
  status: 'active',
  productId: 'yearly',
  expiresAt: '2027-01-01T00:00:00.000Z',
  graceExpiresAt: null,
  willRenew: true,
  ownership: 'purchased',
  originalTransactionId: '2000000512345678',
  checkedAt: '2026-11-23T08:00:00.000Z',
};

type Asked = { method: string; path: string; key: string | null; body: unknown };
const asked: Asked[] = [];
let answer: (path: string) => Response | Promise<Response> = () => Response.json(ASSIGNMENT);
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => {
    const { pathname, search } = new URL(request.url);
    const text = await request.text();
    asked.push({
      method: request.method,
      path: pathname + search,
      key: request.headers.get('x-service-key'),
      body: text === '' ? null : JSON.parse(text),
    });
    return answer(pathname);
  },
});
afterAll(() => server.stop(true));
const options = { key: ' svp_test ', url: `${server.url.origin}/` };
const refused = (status: number) => () =>
  Response.json({ error: { code: 'invalid_service_key', message: 'No such key.' } }, { status });

describe('experiments in React Native', () => {
  test('are those of the service', async () => {
    answer = () => Response.json(ASSIGNMENT);
    const got = await inReactNative(() => createExperiments(options).assignment('device/1 ü'));
    expect(got).toEqual(ASSIGNMENT);
    expect(asked.splice(0)).toEqual([
      {
        method: 'GET',
        path: '/v1/experiments?anonymousId=device%2F1%20%C3%BC',
        key: 'svp_test',
        body: null,
      },
    ]);
  });

  test('are done without where there is no answer, in time, and say why', async () => {
    const errors: AskError[] = [];
    const onError = (error: AskError) => errors.push(error);
    const ask = (url = options.url) =>
      inReactNative(() =>
        createExperiments({ ...options, url, timeoutMs: 50, onError }).assignment('device-0001'),
      );
    answer = () => new Promise(() => {});
    expect(await ask()).toBeNull();
    answer = refused(401);
    expect(await ask()).toBeNull();
    answer = refused(503);
    expect(await ask()).toBeNull();
    answer = () => new Response('<html>Sign in to the network</html>');
    expect(await ask()).toBeNull();
    answer = () => Response.json('hello');
    expect(await ask()).toBeNull();
    expect(await ask('http://127.0.0.1:1')).toBeNull();
    expect(errors.map(({ code, status }) => [code, status])).toEqual([
      ['no_answer', undefined],
      ['refused', 401],
      ['no_answer', 503],
      ['no_answer', undefined],
      ['no_answer', undefined],
    ]);
    expect(errors[1]?.message).toContain('invalid_service_key');
  });

  test('ask nothing for nobody, and nothing with a wrong set-up', async () => {
    asked.length = 0;
    const errors: AskError[] = [];
    const onError = (error: AskError) => errors.push(error);
    expect(await createExperiments(options).assignment(null)).toBeNull();
    for (const wrong of [{ key: 'svk_1' }, { key: '' }, { url: 'localhost:3000' }]) {
      const experiments = createExperiments({ ...options, ...wrong, onError });
      expect(await experiments.assignment('device-0001')).toBeNull();
    }
    expect(errors.map(({ code }) => code)).toEqual(Array(3).fill('invalid_options'));
    expect(asked).toEqual([]);
  });
});

describe('purchases in React Native', () => {
  const storageOf = (items = new Map<string, string>()): EntitlementStorage => ({
    getItem: async (name) => items.get(name) ?? null,
    setItem: async (name, value) => items.set(name, value),
    removeItem: async (name) => items.delete(name),
  });

  test('are handed over with who bought', async () => {
    asked.length = 0;
    answer = () => Response.json(ENTITLED);
    const purchases = createPurchases({ ...options, storage: storageOf() });
    const who = { userId: null, anonymousId: 'device-0001' };
    expect(await inReactNative(() => purchases.handOver('a.b.c', who))).toEqual(ENTITLED);
    expect(asked).toEqual([
      {
        method: 'POST',
        path: '/v1/purchases/verify',
        key: 'svp_test',
        body: { signedTransaction: 'a.b.c', anonymousId: 'device-0001' },
      },
    ]);
    answer = refused(422);
    const quiet = createPurchases({ ...options, onError: () => {} });
    expect(await quiet.handOver('a.b.c', who)).toBeNull();
  });

  test('are kept for the same person while the service cannot be reached', async () => {
    const items = new Map<string, string>();
    const launch = () =>
      createPurchases({ ...options, storage: storageOf(items), onError: () => {} });
    const ask = (who: { userId?: string | null; anonymousId?: string | null }) =>
      inReactNative(() => launch().entitlement(who));
    answer = () => Response.json(ENTITLED);
    expect(await ask({ anonymousId: 'device-0001' })).toEqual(ENTITLED);
    answer = refused(503);
    expect(await ask({ anonymousId: 'device-0001' })).toEqual(ENTITLED);
    expect(await ask({ anonymousId: 'device-0001', userId: 'u-1' })).toEqual(ENTITLED);
    expect(await ask({ anonymousId: 'device-0002' })).toBeNull();
    answer = () => Response.json(ENTITLED);
    await ask({ anonymousId: 'device-0001', userId: 'u-1' });
    answer = () => new Response('<html>Sign in to the network</html>');
    expect(await ask({ anonymousId: 'device-0009', userId: 'u-1' })).toEqual(ENTITLED);
    expect(await ask({ anonymousId: 'device-0001', userId: 'u-2' })).toBeNull();
    await launch().forget();
    expect(await ask({ anonymousId: 'device-0001', userId: 'u-1' })).toBeNull();
    expect(items.size).toBe(0);
  });

  test('are taken away by an answer of the service only, whatever the storage does', async () => {
    const broken: EntitlementStorage = {
      getItem: () => Promise.reject(new Error('away')),
      setItem: () => Promise.reject(new Error('full')),
      removeItem: () => Promise.reject(new Error('away')),
    };
    const purchases = createPurchases({ ...options, storage: broken, onError: () => {} });
    const who = { userId: 'u-1' };
    answer = () => Response.json(ENTITLED);
    expect(await purchases.entitlement(who)).toEqual(ENTITLED);
    answer = refused(500);
    expect(await purchases.entitlement(who)).toEqual(ENTITLED);
    const none = { ...ENTITLED, entitled: false, status: 'expired' };
    answer = () => Response.json(none);
    expect(await purchases.entitlement(who)).toEqual(none);
    await purchases.forget();
  });
});
