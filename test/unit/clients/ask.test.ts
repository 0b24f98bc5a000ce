import { afterAll, describe, expect, setSystemTime, test } from 'bun:test';
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
let answer: (search: string) => Response | Promise<Response> = () => Response.json(ASSIGNMENT);
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
    return answer(search);
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

  test('hold without the service for a time, by default 30 days', async () => {
    const items = new Map<string, string>();
    const DAY_MS = 86_400_000;
    const start = Date.now();
    const ask = (days: number, longestAgeMs?: number) => {
      setSystemTime(start + days * DAY_MS);
      const own = { ...options, storage: storageOf(items), onError: () => {} };
      const bound = longestAgeMs === undefined ? {} : { longestAgeMs };
      return createPurchases({ ...own, ...bound }).named({ userId: 'u-1' }, 'pro');
    };
    try {
      answer = () => Response.json(ENTITLED);
      expect(await ask(0)).toEqual(ENTITLED);
      answer = refused(503);
      expect(await ask(30)).toEqual(ENTITLED);
      expect(await ask(31)).toBeNull();
      expect(await ask(31, 40 * DAY_MS)).toEqual(ENTITLED);
      expect(await ask(1, DAY_MS - 1)).toBeNull();
      expect(await ask(-1, 0)).toEqual(ENTITLED);
    } finally {
      setSystemTime();
    }
  });

  test('are asked and kept for each product apart, those of one person as of another', async () => {
    const items = new Map<string, string>();
    const launch = () =>
      createPurchases({ ...options, storage: storageOf(items), onError: () => {} });
    const [who, other] = [{ userId: 'u-1' }, { userId: 'u-2' }];
    const none = { ...ENTITLED, entitled: false, status: 'none', productId: null };
    const service = (search: string) =>
      Response.json(search.includes('productId=yearly') ? ENTITLED : none);
    const ask = (products: (string | undefined)[], asker = who) => {
      const purchases = launch();
      return Promise.all(products.map((productId) => purchases.entitlement(asker, productId)));
    };
    asked.length = 0;
    answer = service;
    expect(await ask(['yearly', 'stickers/1', undefined])).toEqual([ENTITLED, none, none]);
    expect(asked.map(({ path }) => path)).toEqual([
      '/v1/purchases/entitlement?userId=u-1&productId=yearly',
      '/v1/purchases/entitlement?userId=u-1&productId=stickers%2F1',
      '/v1/purchases/entitlement?userId=u-1',
    ]);
    answer = refused(503);
    expect(await ask(['yearly', 'stickers/1', undefined])).toEqual([ENTITLED, none, none]);
    expect(await ask(['monthly'])).toEqual([null]);
    expect(await ask(['yearly', 'stickers/1', undefined], other)).toEqual([null, null, null]);

    // One product of the next person leaves the others to the person before.
    answer = service;
    expect(await ask(['stickers/1'], other)).toEqual([none]);
    answer = refused(503);
    expect(await ask(['stickers/1', 'yearly'], other)).toEqual([none, null]);
    expect(await ask(['stickers/1', 'yearly'])).toEqual([null, ENTITLED]);
    await launch().forget();
    expect(items.size).toBe(0);
  });

  test('are known of the product that a hand-over names, and of what an earlier release kept', async () => {
    const items = new Map<string, string>();
    const storage = storageOf(items);
    const purchases = createPurchases({ ...options, storage, onError: () => {} });
    const who = { userId: 'u-1' };
    answer = () => Response.json(ENTITLED);
    await purchases.handOver('a.b.c', who);
    answer = refused(503);
    expect(await purchases.entitlement(who, 'yearly')).toEqual(ENTITLED);
    expect(await purchases.entitlement(who)).toEqual(ENTITLED);
    expect(await purchases.entitlement(who, 'monthly')).toBeNull();

    for (const [text, known] of [
      [JSON.stringify({ userId: 'u-1', anonymousId: null, entitlement: ENTITLED }), ENTITLED],
      ['{"no json', null],
      ['null', null],
      ['{"yearly":7}', null],
    ] as const) {
      items.set('cp.entitlement', text);
      const launched = createPurchases({ ...options, storage, onError: () => {} });
      answer = refused(503);
      expect([text, await launched.entitlement(who)]).toEqual([text, known]);
      expect(await launched.entitlement(who, 'yearly')).toEqual(known);
      answer = () => Response.json(ENTITLED);
      await launched.entitlement(who, 'yearly');
      answer = refused(503);
      const again = createPurchases({ ...options, storage, onError: () => {} });
      expect(await again.entitlement(who, 'yearly')).toEqual(ENTITLED);
      expect(await again.entitlement(who)).toEqual(known);
    }
  });

  test('are asked by name, and every answer tells of all names', async () => {
    const items = new Map<string, string>();
    const purchases = createPurchases({ ...options, storage: storageOf(items), onError: () => {} });
    const who = { userId: 'u-1' };
    const unsaid = { expiresAt: null, willRenew: false, environment: 'Production' };
    const entitlements = [
      { name: 'pro', status: 'active', productId: 'yearly', store: 'app_store', ...unsaid },
      { name: 'max', status: 'none', productId: null, store: null, ...unsaid },
    ];
    asked.length = 0;
    answer = () => Response.json({ ...ENTITLED, entitlements });
    expect((await purchases.named(who, 'pro'))?.entitled).toBe(true);
    expect(asked.map(({ path }) => path)).toEqual([
      '/v1/purchases/entitlement?userId=u-1&entitlement=pro',
    ]);
    await purchases.forget();
    await purchases.handOver('a.b.c', who);
    answer = refused(503);
    const launched = createPurchases({ ...options, storage: storageOf(items), onError: () => {} });
    for (const client of [purchases, launched]) {
      const [pro, max] = await Promise.all(['pro', 'max'].map((name) => client.named(who, name)));
      expect(pro).toMatchObject({ entitled: true, status: 'active', productId: 'yearly' });
      expect(max).toMatchObject({ entitled: false, status: 'none', productId: null });
      expect(await client.named(who, 'other')).toBeNull();
      expect(await client.named({ userId: 'u-2' }, 'pro')).toBeNull();
    }
  });

  test('offerings are those of the service, with the context and what is on the screen', async () => {
    const purchases = createPurchases({ ...options, onError: () => {} });
    const given = { current: 'standard', offerings: [], chosenBy: null };
    answer = () => Response.json(given);
    asked.length = 0;
    expect(await purchases.offerings({ anonymousId: 'device-0001' })).toEqual(given);
    const shown = { country: 'DE', shown: true };
    expect(await purchases.offerings({ anonymousId: 'device-0001' }, shown)).toEqual(given);
    expect(asked.map(({ path }) => path)).toEqual([
      '/v1/purchases/offerings?anonymousId=device-0001',
      '/v1/purchases/offerings?country=DE&anonymousId=device-0001&shown=true',
    ]);
    answer = refused(503);
    expect(await purchases.offerings({})).toBeNull();
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
