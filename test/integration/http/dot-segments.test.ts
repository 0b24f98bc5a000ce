import { afterAll, describe, expect, test } from 'bun:test';
import { serve } from '../../../src/app/serve.ts';
import { ACCESS } from '../../support/access/table.ts';
import { signInAs } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const routes: (string | null)[] = [];
const listen = (fields: any, message?: string) => {
  if (message === 'request') routes.push(fields.route);
};
const service = await startTestService(await testDatabase(), {
  env: { PORT: '0' },
  with: ({ log }) => ({
    log: Object.assign(Object.create(log), { info: listen, warn: listen, error: listen }),
  }),
});
const server = await serve(service.deps);
afterAll(() => server.stop());
const org = await createTestOrg(service);
const app = await createTestApp(service, org.orgId);
const session = await signInAs(service, org);

/** Ids that a URL parser, a proxy or a router may take for something else than an id. */
const IDS = [
  '.',
  '..',
  '%2e',
  '%2E%2e',
  '.%2e',
  '',
  '/',
  '//',
  '../..',
  './..',
  '..%2f',
  '%2e%2e%2f',
  '%2e%2e%5c',
  '..\\',
  '..;',
  '..%00',
  '%252e%252e',
  '%c0%ae%c0%ae',
  '?',
  '..?x',
  '..#x',
  '*',
];

/** Deleting, replacing and adding; the same id means another operation in none of them. */
const UNSAFE = Object.entries(ACCESS).flatMap(([route, access]) => {
  const [method = '', pattern = ''] = route.split(' ');
  const params = [...pattern.matchAll(/:(\w+)/g)].map(([param]) => param);
  return method === 'GET' || params.length === 0
    ? []
    : [{ route, method, pattern, params, access }];
});

function filled(pattern: string, param: string, id: string): string {
  return pattern
    .replace(param, () => id)
    .replace(':id', app.appId)
    .replaceAll(/:\w+/g, 'nothing');
}

/** The request as it is sent without a look at the path, and as a URL parser sends it. */
function sentAs(path: string): string[] {
  const raw = path.includes('#') ? [] : [path];
  return [...new Set([...raw, new URL(path, server.address).pathname])];
}

async function reached(method: string, path: string, headers: Readonly<Record<string, string>>) {
  routes.length = 0;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const body = ['GET', 'DELETE'].includes(method) ? '' : '{}';
  const answer = await sendRaw(
    server.address,
    [
      `${method} ${path} HTTP/1.1`,
      `Host: ${new URL(server.address).host}`,
      ...lines,
      ...(body && ['content-type: application/json', `content-length: ${body.length}`]),
    ],
    body,
  );
  return { status: answer.status, route: routes.at(-1) ?? null };
}

describe('an id that resolves to another path', () => {
  test.each(UNSAFE.map((one) => [one.route, one] as const))(
    'in %s reaches no other operation',
    async (_, { method, pattern, params, access }) => {
      const callers = access.who.includes('orgKey') ? [org.key, session] : [session];
      for (const param of params) {
        for (const id of IDS) {
          for (const path of sentAs(filled(pattern, param, id))) {
            for (const headers of callers) {
              const { status, route } = await reached(method, path, headers);
              // Another route may refuse an id that never existed; it must not take the request.
              const isMeant = route === null || route === pattern || status === 404;
              expect([path, route, status, isMeant]).toEqual([path, route, status, true]);
            }
          }
        }
      }
    },
  );

  test('leaves the app and the organization as they were', async () => {
    expect((await service.call(`/v1/apps/${app.appId}`, { headers: org.key })).status).toBe(200);
    const list = await service.call('/v1/auth/organization/list', { headers: session });
    expect(list.body.map(({ id }: { id: string }) => id)).toEqual([org.orgId]);
  });
});

describe('an unsafe method on a path with a slash at its end', () => {
  test.each([
    ['DELETE', `/v1/apps/${app.appId}/`, org.key],
    ['POST', '/v1/apps/', org.key],
    ['PUT', '/v1/digests/', org.key],
    ['DELETE', '/v1/organization/', session],
  ])('%s %s is no route', async (method, path, headers) => {
    expect(await reached(method, path, { ...headers })).toEqual({ status: 404, route: null });
    const options = await service.call(path, { method: 'OPTIONS' });
    expect(options.headers.get('allow') ?? '').not.toContain(method);
  });

  test('reads go on, and so do shipped apps and the store', async () => {
    const read = await reached('GET', `/v1/apps/${app.appId}/`, org.key);
    expect(read).toEqual({ status: 200, route: '/v1/apps/:id' });
    const events = [{ name: 'app_opened', anonymousId: 'device-0001' }];
    const sent = await service.call('/v1/events/', { body: { events }, headers: app.device });
    expect(sent.status).toBe(202);
    const notified = await reached('POST', '/v1/purchases/notifications/', {});
    expect(notified).toEqual({ status: 400, route: '/v1/purchases/notifications' });
  });

  test.each([
    ['/v1/purchases/play-store/notifications', ':appId'],
    ['/v1/store/webhooks', ':hookId'],
  ])('%s takes one after its id', async (path, param) => {
    const route = `${path}/${param}`;
    for (const tail of ['app_1', 'app_1/']) {
      const { route: found } = await reached('POST', `${path}/${tail}`, {});
      expect([tail, found]).toEqual([tail, route]);
    }
    expect((await reached('POST', `${path}/`, {})).route).toBeNull();
  });
});
