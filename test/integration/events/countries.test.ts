import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCountries } from '../../../src/modules/events/countries.ts';
import { addressTable, prefixOf } from '../../support/address-table.ts';
import { intakeOf } from '../../support/intake.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const dir = mkdtempSync(join(tmpdir(), 'cp-countries-'));
const path = join(dir, 'countries.mmdb');
writeFileSync(
  path,
  addressTable([
    [prefixOf('192.0.2.0', 24), { country: { iso_code: 'DE' } }],
    [prefixOf('198.51.100.0', 24), { country: { iso_code: 'FR' } }],
  ]),
);
const service = await startTestService(await testDatabase(), {
  env: { TRUST_PROXY: '1', COUNTRY_TABLE: path },
});
rmSync(dir, { recursive: true });
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const send = intakeOf(service);
const DE = { 'x-forwarded-for': '198.51.100.9, 192.0.2.7' };
const FR = { 'x-forwarded-for': '198.51.100.9' };

async function countries(appId: string) {
  await compactEverything(deps);
  const path = `/v1/apps/${appId}/events/recent`;
  const { text, body } = await call(path, { headers: org.key });
  expect(text).not.toContain('192.0.2');
  return Object.fromEntries(body.map((event: any) => [event.name, event.country]));
}

test('a device that names no country has that of its address, the last of the proxy', async () => {
  const app = await createTestApp(service, org.orgId);
  const say = (name: string, context: object, headers: Record<string, string>) =>
    call('/v1/events', {
      body: { events: [{ name, anonymousId: 'device-0001' }], context },
      headers: { ...app.device, ...headers },
    });
  await say('nothing_said', { platform: 'ios' }, DE);
  await say('country_said', { platform: 'ios', country: 'us' }, DE);
  await say('a_server', { platform: 'other' }, DE);
  await say('no_platform', {}, DE);
  await say('elsewhere', { platform: 'web' }, { 'x-forwarded-for': '203.0.113.5' });
  expect(await countries(app.appId)).toEqual({
    nothing_said: 'DE',
    country_said: 'US',
    a_server: null,
    no_platform: null,
    elsewhere: null,
  });
});

test('a retry from another country counts once', async () => {
  const app = await createTestApp(service, org.orgId);
  const body = {
    events: [{ name: 'tapped', anonymousId: 'device-0001', ts: new Date().toISOString() }],
    context: { platform: 'android' },
  };
  await call('/v1/events', { body, headers: { ...app.device, ...DE } });
  await call('/v1/events', { body, headers: { ...app.device, ...FR } });
  await compactEverything(deps);
  const { body: recent } = await call(`/v1/apps/${app.appId}/events/recent`, {
    headers: org.key,
  });
  expect(recent.map((event: any) => event.country)).toEqual(['DE']);
});

test('clients of other products, unless they forbid it', async () => {
  const app = await createTestApp(service, org.orgId);
  const message = (event: string, properties: object) => ({
    event,
    distinct_id: 'device-0001',
    properties: { $lib: 'web', ...properties },
  });
  const batch = [
    message('from_a_browser', {}),
    message('forbidden', { $geoip_disable: true }),
    message('from_a_server', { $lib: 'posthog-node', $os: 'Linux' }),
  ];
  const body = JSON.stringify({ api_key: app.serviceKey, batch });
  const headers = { 'content-type': 'application/json', ...DE };
  expect((await send('/v1/posthog/batch', body, headers)).status).toBe(200);
  expect(await countries(app.appId)).toEqual({
    from_a_browser: 'DE',
    forbidden: null,
    from_a_server: null,
  });
});

test('a table that cannot be read stops the start with a sentence', () => {
  expect(() => openCountries('/nowhere/countries.mmdb')).toThrow('COUNTRY_TABLE cannot be read');
});
