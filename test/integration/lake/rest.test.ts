import { describe, expect, test } from 'bun:test';
import { createApp } from '../../../src/app/routes.ts';
import { lakeRounds } from '../../../src/lake/rounds.ts';
import { LAKE_TABLES } from '../../support/lake/tables.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';

const token = 'a-token-of-the-lake-0123';
const database = await testDatabase();
const service = await startTestService(database, { env: { LAKE: 'on', LAKE_TOKEN: token } });
const org = await createTestOrg(service);
const bearer = { authorization: `Bearer ${token}` };
/** The protocol is Iceberg's: nothing of it stands in our document, which `service.call` looks at. */
async function callOf(
  { deps }: Pick<typeof service, 'deps'>,
  path: string,
  init: RequestInit = {},
) {
  const app = createApp(deps, { isReady: () => true, isHeld: () => false, stop: () => undefined });
  const response = await app.handle(new Request(`http://localhost:3000${path}`, init));
  const text = await response.text();
  return { status: response.status, text, body: text === '' ? undefined : JSON.parse(text) };
}

const tables = '/v1/lake/v1/namespaces/main/tables';

describe('the catalogue of the lake', () => {
  test('names its tables and hands out the metadata that was published last', async () => {
    await lakeRounds(service.deps)();
    const ask = async (path: string, method = 'GET') =>
      callOf(service, path, { method, headers: bearer });
    expect((await ask('/v1/lake/v1/config?warehouse=x')).body).toMatchObject({ overrides: {} });
    expect((await ask('/v1/lake/v1/namespaces')).body).toEqual({ namespaces: [['main']] });
    expect((await ask('/v1/lake/v1/namespaces/main')).body.namespace).toEqual(['main']);
    const listed = (await ask(tables)).body.identifiers.map((one: { name: string }) => one.name);
    expect(listed).toEqual(LAKE_TABLES);
    const { body } = await ask(`${tables}/events`);
    expect(body['metadata-location']).toStartWith(service.deps.config.events.url);
    expect(body.metadata).toMatchObject({ 'format-version': 2, 'current-schema-id': 0 });
    const missing = [
      [`${tables}/nothing`, 'NoSuchTableException'],
      ['/v1/lake/v1/namespaces/other', 'NoSuchNamespaceException'],
    ] as const;
    for (const [path, type] of missing) {
      const { status, body: refusal } = await ask(path);
      expect(status).toBe(404);
      // Iceberg's own form of an error: its clients read no other.
      expect(refusal).toEqual({ error: { message: expect.any(String), type, code: 404 } });
    }
    expect((await ask('/v1/lake/v1/namespaces/other/tables/events')).status).toBe(404);
    const heads = [`${tables}/events`, `${tables}/nothing`, '/v1/lake/v1/namespaces/main'];
    const answers = await Promise.all(heads.map((path) => ask(path, 'HEAD')));
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, ''],
      [404, ''],
      [200, ''],
    ]);
  });

  test("is the operator's: no key of a tenant opens it, and without a token it is not there", async () => {
    for (const path of ['/v1/lake/v1/config', tables, `${tables}/events`]) {
      expect((await callOf(service, path)).status).toBe(401);
      expect((await callOf(service, path, { headers: org.key })).status).toBe(401);
      expect(
        (await callOf(service, path, { headers: { authorization: `Bearer ${token}x` } })).status,
      ).toBe(401);
    }
    const without = await startTestService(database, { env: { LAKE: 'on' } });
    expect((await callOf(without, tables, { headers: bearer })).status).toBe(404);
    const off = await startTestService(database, { env: { LAKE_TOKEN: token } });
    expect((await callOf(off, tables, { headers: bearer })).status).toBe(404);
  });

  test('goes a day after the last publication, when nobody publishes it any more', async () => {
    const { sql } = database;
    const off = await startTestService(database, {
      env: { EVENTS_URL: service.deps.config.events.url },
    });
    const count = async () =>
      (await sql<{ n: number }[]>`SELECT count(*) AS n FROM iceberg_tables`)[0]!.n;
    await lakeRounds(off.deps)();
    expect(await count()).toBe(LAKE_TABLES.length);
    // As in the first round of another host, which has not ended.
    await sql`UPDATE lake_publisher SET published_at = NULL`;
    await lakeRounds(off.deps)();
    expect(await count()).toBe(LAKE_TABLES.length);
    await sql`UPDATE lake_publisher SET published_at = now() - interval '25 hours'`;
    await lakeRounds(off.deps)();
    expect(await count()).toBe(0);
    expect(await service.deps.objects.list('lake/')).toEqual([]);
  });
});
