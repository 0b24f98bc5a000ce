import { describe, expect, test } from 'bun:test';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { $ } from 'bun';
import { ApiError, createApi } from '../../clients/api/src/index.ts';
import type { OpenApi } from '../../scripts/api-client/describe.ts';
import { generate } from '../../scripts/api-client.ts';
import { startServed } from '../support/clients/served.ts';

const served = await startServed();
const api = createApi({
  url: served.url,
  apiKey: served.org.apiKey,
  serviceKey: served.app.serviceKey,
});
const document = (await (await fetch(`${served.url}/openapi.json`)).json()) as OpenApi;

const formatted = async (name: string, text: string) => {
  const biome = Bun.spawn(['bunx', 'biome', 'format', `--stdin-file-path=${name}`], {
    stdin: new Blob([text]),
    stdout: 'pipe',
  });
  return new Response(biome.stdout).text();
};

describe('the typed client', () => {
  test('has a method for every operation of the OpenAPI document', () => {
    const operations = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .map(({ operationId = '' }) => operationId);
    expect(operations.length).toBeGreaterThan(50);
    const missing = operations.filter((name) => !(name in api));
    expect(missing, 'run `bun scripts/api-client.ts`').toEqual([]);
  });

  test.each(['operations.json', 'operations.ts'])(
    '%s is what the service says of itself',
    async (name) => {
      const file = await Bun.file(join(import.meta.dir, '../../clients/api/src', name)).text();
      const wanted = await formatted(name, generate(document)[name] ?? '');
      expect(file === wanted, 'out of date: run `bun scripts/api-client.ts`').toBe(true);
    },
  );

  test('ships the declarations that its source has', async () => {
    const outDir = await mkdtemp(join(tmpdir(), 'api-declarations-'));
    const client = join(import.meta.dir, '../../clients/api');
    await $`bunx tsc -p ${join(client, 'tsconfig.build.json')} --outDir ${outDir}`.quiet();
    for (const name of await readdir(join(client, 'types'))) {
      const shipped = await Bun.file(join(client, 'types', name)).text();
      const emitted = await Bun.file(join(outDir, name)).text();
      expect(
        shipped === emitted,
        `types/${name} is out of date: bunx tsc -p clients/api/tsconfig.build.json, then take dist/${name}`,
      ).toBe(true);
    }
    await rm(outDir, { recursive: true });
  });

  test('reads and writes through the real service', async () => {
    const apps = await api.listApps();
    expect(apps.map(({ id }) => id)).toEqual([served.app.appId]);
    const made = await api.createPublishableKey({ id: served.app.appId, body: { name: 'phone' } });
    expect(made.secret).toStartWith('svp_');
    const device = createApi({ url: served.url, serviceKey: made.secret });
    const events = [{ id: crypto.randomUUID(), name: 'app_opened', anonymousId: 'anon-0001' }];
    expect(await device.sendEvents({ body: { events } })).toEqual({ accepted: 1 });
    expect(
      await api.revokePublishableKey({ id: served.app.appId, keyId: made.key.id }),
    ).toBeUndefined();
    const keys = await api.listPublishableKeys({ id: served.app.appId });
    expect(keys.find(({ id }) => id === made.key.id)?.revokedAt).toBeString();
  });

  test('throws the code, hint and request id of an error', async () => {
    const error = await api
      .createApp({ body: { slug: 'NO', displayName: 'x' } })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    if (!(error instanceof ApiError)) return;
    expect(error.is('invalid_input')).toBe(true);
    expect(error).toMatchObject({ status: 400, hint: expect.stringContaining('slug') });
    expect(error.requestId).toBeString();
    const missing = await api.getApp({ id: 'app_none' }).catch((thrown: unknown) => thrown);
    expect(missing).toMatchObject({ name: 'ApiError', status: 404, code: 'not_found' });
  });

  test('erases the person of any id, and never the app around it', async () => {
    const { appId, serviceKey } = served.app;
    const device = createApi({ url: served.url, serviceKey });
    const event = { name: 'app_opened', anonymousId: 'attacker-device-1', userId: '..' };
    await device.sendEvents({ body: { events: [event] } });
    await api.erasePerson({ id: appId, personId: '..' });
    expect(await api.getApp({ id: appId })).toMatchObject({ id: appId, status: 'active' });
    const missing = await api
      .getPurchaseCustomer({ id: appId, customerId: '..' })
      .catch((thrown: unknown) => thrown);
    expect(missing).toMatchObject({ name: 'ApiError', code: 'not_found' });
  });

  test.each(['.', '..', ''])('refuses "%s" as an id in a path', async (id) => {
    await expect(api.getApp({ id })).rejects.toThrow(TypeError);
    await expect(api.revokePublishableKey({ id: served.app.appId, keyId: id })).rejects.toThrow(
      TypeError,
    );
  });

  test('deletes no app without the confirmation', async () => {
    const { appId } = served.app;
    const withoutConfirm: any = { id: appId };
    await expect(api.deleteApp(withoutConfirm)).rejects.toThrow('`query.confirm` is needed');
    const wrong = api.deleteApp({ id: appId, query: { confirm: 'another' } });
    await expect(wrong).rejects.toMatchObject({ code: 'confirmation_mismatch' });
  });
});
