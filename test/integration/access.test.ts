import { describe, expect, test } from 'bun:test';
import { accessPage } from '../../scripts/access.ts';
import type { Access } from '../../src/http/access.ts';
import { expectedVerdict } from '../support/access/expected.ts';
import { type Principal, type Stage, setStage } from '../support/access/principals.ts';
import { makeOwned, PROBES, type Probe } from '../support/access/probes.ts';
import { ACCESS } from '../support/access/table.ts';
import { testDatabase } from '../support/postgres.ts';
import { startTestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';

const database = await testDatabase();
const service = await startTestService(database, { temporal: await testTemporal() });
const stage = await setStage(service);
const document = (await service.call('/openapi.json')).body;

const UNFITTING_BODY = 12_345;
const NEVER_EXISTED = 'app_00000000000000000000000000';

type Route = { method: string; pattern: string; access: Access };
const ROUTES = Object.entries(ACCESS).map(([route, access]): [string, Route] => {
  const [method = '', pattern = ''] = route.split(' ');
  return [route, { method, pattern, access }];
});

function operationOf({ method, pattern }: Route) {
  return document.paths[pattern.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
}

function probeOf(name: string, route: Route): Probe {
  const given = PROBES[name];
  if (given) return given;
  const operation = operationOf(route);
  if (operation?.requestBody) return { body: UNFITTING_BODY, expect: 400 };
  const successes = Object.keys(operation?.responses ?? { 200: {} }).filter((one) => one < '300');
  return { expect: Number(successes[0] ?? 200) };
}

/** The path with the ids of the stage's own things, made anew where a request may end them. */
async function pathOf({ pattern, access }: Route, { own }: Stage): Promise<string> {
  let path = pattern.replace(':id', own.app.appId);
  for (const [param, resource] of Object.entries(access.owns ?? {})) {
    path = path.replace(`:${param}`, await makeOwned(resource, stage));
  }
  return path.replaceAll(/:\w+/g, 'nothing');
}

async function answerTo(name: string, route: Route, principal: Principal) {
  const { query = '', body } = probeOf(name, route);
  const path = `${await pathOf(route, stage)}${query}`;
  return service.call(path, {
    method: route.method,
    headers: principal.headers,
    ...(body !== undefined && { body }),
  });
}

/** A session that is ended by the very route that is tested cannot serve the next one. */
const CHANGES_SESSION = new Set(['POST /v1/auth/sign-out']);

describe.each(ROUTES)('%s', (name, route) => {
  test.each(stage.principals.map((principal) => [principal.name, principal] as const))(
    'for %s',
    async (_, principal) => {
      const verdict = expectedVerdict(route.access, principal);
      if (CHANGES_SESSION.has(name) && principal.known?.kind === 'session') return;
      const answer = await answerTo(name, route, principal);
      expect(answer.status).toBe(verdict ?? probeOf(name, route).expect);
      if (verdict !== null) expect(answer.body.error.message).toBeString();
    },
  );
});

describe('a page of another site cannot act for somebody who is signed in', () => {
  const changing = ROUTES.filter(
    ([, { method, access }]) => method !== 'GET' && access.who.includes('session'),
  );
  const owner = stage.principals.find(({ name }) => name === 'session of the owner');

  test.each(changing)('%s', async (_, route) => {
    const answer = await service.call(await pathOf(route, stage), {
      method: route.method,
      headers: { ...owner?.headers, origin: 'https://evil.example' },
    });
    expect(answer.status).toBe(403);
    expect(answer.body.error.code).toBe('origin_not_allowed');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('what belongs to another organization is answered as what never existed', () => {
  const owner = stage.principals.find(({ name }) => name === 'session of the owner');
  const scoped = ROUTES.filter(([, { access }]) => access.scope === 'app' || access.owns);

  const withoutCounters = (headers: Headers) =>
    [...headers].filter(([key]) => !/^(x-request-id|ratelimit|date)/.test(key));

  async function expectSame(name: string, route: Route, paths: readonly [string, string]) {
    const { query = '', body } = probeOf(name, route);
    const send = (path: string) =>
      service.call(`${path}${query}`, {
        method: route.method,
        headers: route.access.who.includes('orgKey') ? stage.own.key : (owner?.headers ?? {}),
        ...(body !== undefined && { body }),
      });
    const [foreign, never] = [await send(paths[0]), await send(paths[1])];
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(never.text);
    expect(withoutCounters(foreign.headers)).toEqual(withoutCounters(never.headers));
    expect(foreign.headers.get('x-request-id')).not.toBe(never.headers.get('x-request-id'));
  }

  test.each(scoped.filter(([, { access }]) => access.scope === 'app'))(
    '%s',
    async (name, route) => {
      const fill = (appId: string) =>
        route.pattern.replace(':id', appId).replaceAll(/:\w+/g, 'nothing');
      await expectSame(name, route, [fill(stage.other.app.appId), fill(NEVER_EXISTED)]);
    },
  );

  test.each(scoped.filter(([, { access }]) => access.owns && access.who.includes('orgKey')))(
    '%s, for the things in its app',
    async (name, route) => {
      for (const [param, resource] of Object.entries(route.access.owns ?? {})) {
        const foreign = await makeOwned(resource, { ...stage, own: stage.other });
        const fill = (id: string) =>
          route.pattern
            .replace(':id', stage.own.app.appId)
            .replace(`:${param}`, id)
            .replaceAll(/:\w+/g, 'nothing');
        await expectSame(name, route, [fill(foreign), fill(`${foreign.slice(0, -4)}0000`)]);
      }
    },
  );
});

/** The table of the specification ("Permissions required per route"), to the letter. */
const SPECIFIED: Readonly<Record<string, readonly string[]>> = {
  'analytics:read': [
    'GET /v1/store/connection',
    'GET /v1/store/apps',
    'GET /v1/analytics',
    'GET /v1/apps/:id/events/summary',
    'GET /v1/apps/:id/funnels',
    'GET /v1/apps/:id/funnels/:funnelId/report',
    'GET /v1/apps/:id/insights',
  ],
  'analytics:sync': ['POST /v1/analytics/sync'],
  'integration:manage': [
    'POST /v1/store/connection',
    'DELETE /v1/store/connection',
    'POST /v1/store/apps/refresh',
    'POST /v1/store/apps/link',
    'GET /v1/purchases/connection',
    'PUT /v1/purchases/connection',
    'DELETE /v1/purchases/connection',
  ],
  'app:read': ['GET /v1/apps/:id/keys'],
  'app:update': [
    'POST /v1/apps/:id/keys',
    'DELETE /v1/apps/:id/keys/:keyId',
    'POST /v1/apps/:id/funnels',
    'PUT /v1/apps/:id/funnels/:funnelId',
    'DELETE /v1/apps/:id/funnels/:funnelId',
  ],
};

test('the access table gives each route the permission that the specification names', () => {
  for (const [permission, routes] of Object.entries(SPECIFIED)) {
    for (const route of routes) {
      expect([route, ACCESS[route]?.permission ?? 'none']).toEqual([route, permission]);
    }
  }
});

test('docs/access.md is the page that scripts/access.ts prints', async () => {
  const committed = await Bun.file(new URL('../../docs/access.md', import.meta.url)).text();
  expect(committed).toBe(accessPage(ACCESS));
});
