import { describe, expect, test } from 'bun:test';
import type { Access } from '../../src/http/access.ts';
import { PERMISSIONS } from '../../src/shared/permissions.ts';
import { makeOwned } from '../support/access/probes.ts';
import { ACCESS } from '../support/access/table.ts';
import { signInAs } from '../support/people.ts';
import { testDatabase } from '../support/postgres.ts';
import { createTestApp, createTestKey, createTestOrg, type TestOrg } from '../support/service.ts';
import { placeConnection, startStoreSuite } from '../support/store.ts';

const AT_ONCE = 20;
const database = await testDatabase();
const suite = await startStoreSuite(database);

const times = <T>(make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, index) => make(index)));
/** How often each status was answered. */
const tally = (answers: readonly { status: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  );
const post = (org: TestOrg, path: string, body: unknown) =>
  suite.call(path, { body, headers: org.key });
const get = async (org: TestOrg, path: string) =>
  (await suite.call(path, { headers: org.key })).body;

async function appOf(org: TestOrg) {
  const { appId } = await createTestApp(suite, org.orgId);
  return { appId, path: `/v1/apps/${appId}` };
}

/** An organization with the apps of the simulated store account. */
async function storeOrg() {
  const org = await createTestOrg(suite);
  await placeConnection(suite, org.orgId);
  await suite.call('/v1/store/apps/refresh', { method: 'POST', headers: org.key });
  const listed: { storeAppId: string }[] = await get(org, '/v1/store/apps');
  return { org, storeAppIds: listed.map(({ storeAppId }) => storeAppId) };
}

/** Every link is the same on both sides, and no app has two. */
async function expectLinksToAgree(org: TestOrg): Promise<void> {
  const links: { storeAppId: string; appId: string | null }[] = await get(org, '/v1/store/apps');
  const apps: { id: string; storeAppId: string | null }[] = await get(org, '/v1/apps');
  const ofStore = links.filter(({ appId }) => appId !== null);
  expect(ofStore.map(({ appId, storeAppId }) => `${appId} ${storeAppId}`).toSorted()).toEqual(
    apps
      .filter(({ storeAppId }) => storeAppId !== null)
      .map(({ id, storeAppId }) => `${id} ${storeAppId}`)
      .toSorted(),
  );
}

describe('twenty at once of what may be there once only', () => {
  test('an app of one slug', async () => {
    const org = await createTestOrg(suite);
    const answers = await times(() => post(org, '/v1/apps', { slug: 'one', displayName: 'One' }));
    expect(tally(answers)).toEqual({ 201: 1, 409: AT_ONCE - 1 });
  });

  test('an import of one store app', async () => {
    const { org, storeAppIds } = await storeOrg();
    const answers = await times(() => post(org, '/v1/apps/import', { storeAppId: storeAppIds[0] }));
    expect(tally(answers)).toEqual({ 201: 1, 409: AT_ONCE - 1 });
    await expectLinksToAgree(org);
  });

  test('a deletion of one app', async () => {
    const org = await createTestOrg(suite);
    const { path } = await appOf(org);
    const answers = await times(() => suite.call(path, { method: 'DELETE', headers: org.key }));
    expect(tally(answers)).toEqual({ 200: 1, 404: AT_ONCE - 1 });
  });

  test('experiments that start in one app', async () => {
    const org = await createTestOrg(suite);
    const { path } = await appOf(org);
    const onboarding = await post(org, `${path}/onboardings`, { name: 'one', config: {} });
    const arms = ['a', 'b'].map((name) => ({ name, weight: 1, onboardingId: onboarding.body.id }));
    const made = await times(() => post(org, `${path}/experiments`, { name: 'test', arms }));
    const answers = await times((index) =>
      suite.call(`${path}/experiments/${made[index]?.body.id}`, {
        method: 'PATCH',
        body: { status: 'running' },
        headers: org.key,
      }),
    );
    expect(tally(answers)).toEqual({ 200: 1, 409: AT_ONCE - 1 });
  });

  test('webhooks, of which an organization has ten', async () => {
    const org = await createTestOrg(suite);
    const body = { url: 'https://example.com/hooks', events: ['app.created'] };
    expect(tally(await times(() => post(org, '/v1/webhooks', body)))).toEqual({ 201: 10, 409: 10 });
  });
});

describe('twenty at once of which the last one counts', () => {
  test('one store app linked to twenty apps', async () => {
    const { org, storeAppIds } = await storeOrg();
    const apps = await times(() => appOf(org));
    const answers = await times((index) =>
      post(org, '/v1/store/apps/link', {
        storeAppId: storeAppIds[0],
        appId: apps[index]?.appId,
      }),
    );
    expect(tally(answers)).toEqual({ 200: AT_ONCE });
    await expectLinksToAgree(org);
  });

  test('links, unlinks, imports and refreshes among each other', async () => {
    const { org, storeAppIds } = await storeOrg();
    const apps = await times(() => appOf(org));
    const link = (index: number, appId: string | null | undefined) =>
      post(org, '/v1/store/apps/link', {
        storeAppId: storeAppIds[index % storeAppIds.length],
        appId,
      });
    const answers = await Promise.all([
      times((index) => link(index, apps[(index * 7) % 4]?.appId)),
      times((index) => link(index + 2, apps[(index * 3) % 4]?.appId)),
      times((index) => link(index, null)),
      times((index) => post(org, '/v1/apps/import', { storeAppId: storeAppIds[index % 2] })),
      suite.call('/v1/store/apps/refresh', { method: 'POST', headers: org.key }),
    ]);
    const statuses = new Set(answers.flat().map(({ status }) => status));
    expect([...statuses].filter((status) => ![200, 201, 409].includes(status))).toEqual([]);
    await expectLinksToAgree(org);
  });

  test('the default of an app’s funnels, new and old', async () => {
    const org = await createTestOrg(suite);
    const { path } = await appOf(org);
    const steps = ['one', 'two'].map((event) => ({ event, label: event }));
    const made = await times((index) =>
      post(org, `${path}/funnels`, { name: `f${index}`, steps, isDefault: true }),
    );
    expect(tally(made)).toEqual({ 201: AT_ONCE });
    const edited = await times((index) =>
      suite.call(`${path}/funnels/${made[index]?.body.id}`, {
        method: 'PUT',
        body: { isDefault: true },
        headers: org.key,
      }),
    );
    expect(tally(edited)).toEqual({ 200: AT_ONCE });
    const funnels: { isDefault: boolean }[] = await get(org, `${path}/funnels`);
    expect(funnels.filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });

  test('the default of an app’s onboardings', async () => {
    const org = await createTestOrg(suite);
    const { path } = await appOf(org);
    const made = await times((index) =>
      post(org, `${path}/onboardings`, { name: `o${index}`, config: {}, isDefault: true }),
    );
    expect(tally(made)).toEqual({ 201: AT_ONCE });
    const onboardings: { isDefault: boolean }[] = await get(org, `${path}/onboardings`);
    expect(onboardings.filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });

  test('the survey of one person', async () => {
    const headers = await signInAs(suite, await createTestOrg(suite));
    const answers = await times((index) =>
      suite.call('/v1/onboarding', { body: { building: `app ${index}` }, headers }),
    );
    expect(tally(answers)).toEqual({ 200: AT_ONCE });
  });

  test('keys of an app, while the app is being deleted', async () => {
    const org = await createTestOrg(suite);
    const { path, appId } = await appOf(org);
    const [answers] = await Promise.all([
      times(() => post(org, `${path}/keys`, { name: 'device' })),
      suite.call(path, { method: 'DELETE', headers: org.key }),
      database.sql`DELETE FROM apps WHERE app_id = ${appId} AND org_id = ${org.orgId}`,
    ]);
    const others = answers
      .map(({ status }) => status)
      .filter((one) => ![201, 404, 409].includes(one));
    expect(others).toEqual([]);
  });
});

describe('twenty at once of any route that writes never crash', () => {
  const writes = Object.entries(ACCESS).filter(([route]) => !route.startsWith('GET '));

  async function stageOf() {
    const org = await createTestOrg(suite);
    const own = { ...org, app: await createTestApp(suite, org.orgId) };
    return { service: suite, own, other: own, principals: [] };
  }
  const shared = stageOf();
  type Stage = Awaited<ReturnType<typeof stageOf>>;

  async function headersOf(access: Access, { own }: Stage): Promise<Record<string, string>> {
    if (access.who.includes('orgKey')) return createTestKey(suite, own, PERMISSIONS);
    if (access.who.includes('session')) return { ...(await signInAs(suite, own)) };
    return access.who.includes('device') ? own.app.device : {};
  }

  test.each(writes)('%s', async (route, access) => {
    const [method = '', pattern = ''] = route.split(' ');
    const stage = await (method === 'DELETE' ? stageOf() : shared);
    let path = pattern.replace(':id', stage.own.app.appId);
    for (const [param, resource] of Object.entries(access.owns ?? {})) {
      path = path.replace(`:${param}`, await makeOwned(resource, stage));
    }
    path = path.replaceAll(/:\w+/g, 'photo_feed');
    const headers = await headersOf(access, stage);
    const answers = await times(() => suite.call(path, { method, headers }));
    expect(answers.filter(({ status }) => status === 500)).toEqual([]);
  });

  const edited = writes.filter(
    ([route, { owns }]) =>
      /^(PUT|PATCH) /.test(route) && owns && route.replace(/^\w+/, 'DELETE') in ACCESS,
  );
  const bodyOf = (route: string, index: number) =>
    route.includes('/watches/')
      ? { rule: { kind: 'threshold', side: 'above', value: index } }
      : { name: `edit ${index}` };
  test.each(edited)('%s beside its deletion', async (route, access) => {
    const [method = '', pattern = ''] = route.split(' ');
    const stage = await shared;
    const headers = await headersOf(access, stage);
    const seen = await times(async () => {
      let path = pattern.replace(':id', stage.own.app.appId);
      for (const [param, resource] of Object.entries(access.owns ?? {})) {
        path = path.replace(`:${param}`, await makeOwned(resource, stage));
      }
      const edits = times((index) =>
        suite.call(path, { method, headers, body: bodyOf(route, index) }),
      );
      return [await suite.call(path, { method: 'DELETE', headers }), ...(await edits)];
    });
    expect(seen.flat().filter(({ status }) => status === 500)).toEqual([]);
  });
});
