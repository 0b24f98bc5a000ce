import { beforeEach, describe, expect, test } from 'bun:test';
import { flagApp } from '../../support/flags/flags.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService, type TestOrg } from '../../support/service.ts';

const exposures: any[] = [];
const service = await startTestService(await testDatabase(), {
  with: ({ events }) => ({
    events: {
      ...events,
      append: async ({ body }) => {
        exposures.push(...JSON.parse(Buffer.from(body).toString()).events);
      },
    },
  }),
});
const { sql } = service.deps;
beforeEach(() => {
  exposures.length = 0;
});

const MONTHLY = { identifier: 'monthly', productIds: ['pro.monthly'] };
const YEARLY = { identifier: 'yearly', productIds: ['pro.yearly'], metadata: { badge: 'Best' } };
const STANDARD = { identifier: 'standard', name: 'Standard', packages: [YEARLY, MONTHLY] };
const CHEAP = { identifier: 'cheap', name: 'Cheap first', packages: [MONTHLY], metadata: [1] };
const BOTH = { offerings: [STANDARD, CHEAP], defaultOffering: 'standard', flag: null };
const TEXT = {
  type: 'string',
  variants: ['standard', 'cheap', 'gone'].map((name) => ({ name, value: name })),
  defaultVariant: 'gone',
  isOn: true,
};

/** An app linked to a store app with two products. */
async function offeringApp(org: TestOrg) {
  const app = await flagApp(service, org);
  await sql`
    INSERT INTO store_apps (org_id, store_app_id, name, bundle_id, sku, app_id,
      products_checked_at)
    VALUES (${org.orgId}, ${app.appId}, 'App', 'com.example', 'SKU', ${app.appId}, now())`;
  await sql`
    INSERT INTO store_products (org_id, store_app_id, product_id, store_id, kind, name,
      family_sharable, state)
    SELECT ${org.orgId}, ${app.appId}, id, id, 'auto_renewable', id, false, 'approved'
    FROM unnest(ARRAY['pro.monthly', 'pro.yearly']) AS id`;
  const path = `/v1/apps/${app.appId}/offerings`;
  return {
    ...app,
    put: (body: object) => service.call(path, { method: 'PUT', headers: org.key, body }),
    get: () => service.call(path, { headers: org.key }),
    show: (query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      service.call(`/v1/purchases/offerings?${new URLSearchParams(query)}`, {
        headers: { ...app.device, ...headers },
      }),
  };
}
const org = await createTestOrg(service);

describe('offerings', () => {
  test('are what was set, in order, for devices with the default as current', async () => {
    const app = await offeringApp(org);
    const none = { offerings: [], defaultOffering: null, flag: null };
    expect((await app.get()).body).toEqual(none);
    expect((await app.show()).body).toEqual({ current: null, offerings: [], chosenBy: null });
    const set = await app.put(BOTH);
    expect([set.status, set.body]).toEqual([200, BOTH]);
    expect((await app.get()).body).toEqual(BOTH);
    const shown = await app.show({ anonymousId: 'person-0001', further: 'ignored' });
    expect(shown.body).toEqual({
      ...{ current: 'standard', offerings: BOTH.offerings, chosenBy: null },
    });
    expect((await app.put(none)).status).toBe(200);
    expect((await app.show()).body.current).toBeNull();
  });

  test('are 304 while nothing changes', async () => {
    const app = await offeringApp(org);
    await app.put(BOTH);
    const first = await app.show();
    const etag = first.headers.get('etag') ?? '';
    for (const sent of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await app.show({}, { 'if-none-match': sent });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    }
    await app.put({ ...BOTH, defaultOffering: 'cheap' });
    const changed = await app.show({}, { 'if-none-match': etag });
    expect([changed.status, changed.body.current]).toEqual([200, 'cheap']);
  });

  test('of another organization are not there, and a device of one app gets its own', async () => {
    const app = await offeringApp(org);
    await app.put(BOTH);
    const other = await offeringApp(await createTestOrg(service));
    expect((await other.show()).body.offerings).toEqual([]);
    const foreign = await service.call(`/v1/apps/${app.appId}/offerings`, {
      headers: (await createTestOrg(service)).key,
    });
    expect(foreign.status).toBe(404);
  });

  const big = (bytes: number) => 'x'.repeat(bytes - 2);
  const refusals: [string, object, string][] = [
    ['no default', { defaultOffering: null }, 'defaultOffering: must be the identifier'],
    ['an unknown default', { defaultOffering: 'x' }, 'defaultOffering: must be the identifier'],
    ['the same twice', { offerings: [STANDARD, STANDARD] }, 'offerings[1].identifier: must be'],
    [
      'a package twice',
      { offerings: [{ ...STANDARD, packages: [MONTHLY, MONTHLY] }] },
      'offerings[0].packages[1].identifier: must be',
    ],
    [
      'an unknown product',
      { offerings: [{ ...STANDARD, packages: [{ identifier: 'a', productIds: ['pro.wekly'] }] }] },
      'offerings[0].packages[0].productIds[0]: must be a product of the app: pro.wekly',
    ],
    [
      'metadata of more than 16 KB',
      { offerings: [{ ...STANDARD, metadata: big(16_385) }] },
      'offerings[0].metadata: must have at most 16384 bytes',
    ],
    [
      'metadata with half a surrogate pair',
      { offerings: [{ ...STANDARD, metadata: { deep: ['a\ud83d'] } }] },
      'offerings[0].metadata: must not hold NUL',
    ],
    ['a flag that is not there', { flag: 'paywall' }, 'flag: must be the key of a flag'],
  ];
  test.each(refusals)('refuse %s, by its place', async (_, change, hint) => {
    const app = await offeringApp(org);
    const answer = await app.put({ ...BOTH, ...change });
    expect(answer.status).toBe(400);
    expect(answer.body.error.hint).toStartWith(hint);
    const whole = { ...STANDARD, metadata: big(16_384) };
    expect((await app.put({ ...BOTH, offerings: [whole, CHEAP] })).status).toBe(200);
  });

  test('keep products that they had, and take no flag of another type', async () => {
    const app = await offeringApp(org);
    await app.put(BOTH);
    await sql`DELETE FROM store_products WHERE store_app_id = ${app.appId}`;
    expect((await app.put({ ...BOTH, defaultOffering: 'cheap' })).status).toBe(200);
    const number = { name: 'one', value: 1 };
    const flag = { type: 'number', variants: [number], defaultVariant: 'one', isOn: true };
    await app.create({ ...flag, key: 'number' });
    const refused = await app.put({ ...BOTH, flag: 'number' });
    expect(refused.body.error.hint).toStartWith('flag: must be the key of a flag');
  });
});

describe('a flag', () => {
  test('chooses by its rules, and leaves the default where its value is no offering', async () => {
    const app = await offeringApp(org);
    const where = { all: [{ field: 'country', op: 'is', value: 'DE' }] };
    await app.create({ ...TEXT, key: 'paywall', rules: [{ where, variant: 'cheap' }] });
    expect((await app.put({ ...BOTH, flag: 'paywall' })).status).toBe(200);
    const person = { anonymousId: 'person-0001' };
    const german = (await app.show({ ...person, country: 'DE' })).body;
    expect([german.current, german.chosenBy]).toEqual([
      'cheap',
      { flag: 'paywall', variant: 'cheap', reason: 'TARGETING_MATCH' },
    ]);
    const others = [person, { ...person, country: 'FR' }, { country: 'DE' }];
    for (const query of others) {
      expect((await app.show(query)).body).toMatchObject({ current: 'standard', chosenBy: null });
    }
  });

  test('gone or off leaves the default', async () => {
    const app = await offeringApp(org);
    const rules = [{ variant: 'cheap' }];
    const { body: flag } = await app.create({ ...TEXT, key: 'paywall', rules });
    await app.put({ ...BOTH, flag: 'paywall' });
    const current = async () => (await app.show({ anonymousId: 'person-0001' })).body.current;
    expect(await current()).toBe('cheap');
    await app.change(flag.id, { isOn: false });
    expect(await current()).toBe('standard');
    await app.remove(flag.id);
    expect(await current()).toBe('standard');
  });

  test('shows the offering of an arm; only what is on the screen is an exposure', async () => {
    const app = await offeringApp(org);
    const arms = ['as before', 'cheap'].map((name) => ({ name, weight: 1 }));
    const draft = (await app.experiment({ arms })).body;
    const names = ['standard', 'cheap'];
    const variations = Object.fromEntries(
      draft.arms.map(({ id }: { id: string }, index: number) => [id, names[index]]),
    );
    await app.onExperiment(draft.id, 'PATCH', { status: 'running' });
    await app.create({
      ...{ ...TEXT, key: 'paywall', rules: [{ experiment: draft.id, variations }] },
    });
    await app.put({ ...BOTH, flag: 'paywall' });
    const counted: Record<string, number> = { standard: 0, cheap: 0 };
    for (let index = 0; index < 50; index += 1) {
      const { body } = await app.show({ anonymousId: `person-${1_000 + index}` });
      counted[body.current] = (counted[body.current] ?? 0) + 1;
      expect(body.chosenBy.reason).toBe('SPLIT');
    }
    expect(Object.values(counted).every((count) => count > 10)).toBe(true);
    expect(exposures).toEqual([]);
    const person = { anonymousId: 'person-1000' };
    const seen = (await app.show(person)).body;
    const shown = (await app.show({ ...person, shown: 'true' })).body;
    expect(shown).toEqual(seen);
    const arm = draft.arms[names.indexOf(seen.current)].id;
    expect(exposures).toMatchObject([
      { name: '$exposure', ...person, props: { experiment: draft.id, arm } },
    ]);
  });
});
