import { describe, expect, test } from 'bun:test';
import { flagApp, ON_OFF, PERSON } from '../../support/flags/flags.ts';
import { ACCESS } from '../../support/access/table.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const org = await createTestOrg(service);
const app = await flagApp(service, org);

/** Routes that know a caller: a public one knows nobody. */
const ROUTES = Object.entries(ACCESS).filter(
  ([, { who, secret }]) => who.length > 0 || secret !== undefined,
);
const pathOf = (route: string) => {
  const [method = '', path = ''] = route.split(' ');
  return { method, path: path.replace(':id', app.appId).replaceAll(/:\w+/g, 'nothing') };
};

/** Routes that let a caller with these headers past authentication. */
async function open(headers: Record<string, string>): Promise<string[]> {
  const found: string[] = [];
  for (const [route, { secret }] of ROUTES) {
    const { method, path } = pathOf(route);
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
    const { status } = await service.call(path, { method, headers, ...body });
    // What an operator's secret opens is hidden from everybody else.
    const isRefused = status === 401 || (secret !== undefined && status === 404);
    if (!isRefused) found.push(route);
  }
  return found.toSorted();
}

describe('a publishable key', () => {
  test('opens what the contract lets it open, further routes of purchases, and no flags', async () => {
    const its = [
      'GET /v1/experiments',
      'GET /v1/purchases/entitlement',
      'GET /v1/purchases/offerings',
      'POST /v1/events',
      'POST /v1/purchases/offers/sign',
      'POST /v1/purchases/verify',
    ];
    expect(await open({ 'x-service-key': app.serviceKey })).toEqual(its);
    expect(await open({ 'x-api-key': app.serviceKey })).toEqual([]);
    expect(await open({ authorization: `Bearer ${app.serviceKey}` })).toEqual([]);
  });
});

describe('a flag key', () => {
  test('reads flags, and opens nothing else', async () => {
    const flags = ['POST /v1/ofrep/v1/evaluate/flags', 'POST /v1/ofrep/v1/evaluate/flags/:key'];
    expect(await open({ 'x-api-key': app.flagKey })).toEqual(flags);
    expect(await open({ authorization: `Bearer ${app.flagKey}` })).toEqual(flags);
    expect(await open({ 'x-service-key': app.flagKey })).toEqual([]);
  });

  test('reads those of its app only, until it is revoked', async () => {
    const other = await flagApp(service, org);
    await other.create({ key: 'theirs', ...ON_OFF });
    expect((await app.ask('theirs', PERSON)).status).toBe(404);
    const path = `/v1/apps/${other.appId}/keys`;
    const made = await service.call(path, { headers: org.key, body: { kind: 'flags' } });
    expect(made.body.key).toMatchObject({ kind: 'flags' });
    expect(made.body.secret).toStartWith('svf_');
    const own = { authorization: `Bearer ${made.body.secret}` };
    expect((await other.ask('theirs', PERSON, own)).status).toBe(200);
    await service.call(`${path}/${made.body.key.id}`, { method: 'DELETE', headers: org.key });
    const refused = await other.ask('theirs', PERSON, own);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('retry-after')).toBe('3600');
  });

  test('stands in the list of keys with its kind', async () => {
    const { body } = await service.call(`/v1/apps/${app.appId}/keys`, { headers: org.key });
    const kinds = body.map(({ kind, prefix }: { kind: string; prefix: string }) => [
      kind,
      prefix.slice(0, 4),
    ]);
    expect(kinds.toSorted()).toEqual([
      ['events', 'svp_'],
      ['flags', 'svf_'],
    ]);
  });
});
