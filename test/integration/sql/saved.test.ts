import { expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { createTestKey, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call } = service;
const [org, other] = [await createTestOrg(service), await createTestOrg(service)];

const save = (body: object, headers = org.key) => call('/v1/sql/queries', { body, headers });
const list = async (headers = org.key) => (await call('/v1/sql/queries', { headers })).body;

test('SQL is saved, edited and deleted, by name and for its organization only', async () => {
  const made = await save({ name: 'Plans', sql: 'SELECT $n', parameters: { n: 3 } });
  expect(made.status).toBe(201);
  const { id } = made.body;
  await save({ name: 'Apps', sql: 'FROM apps' });
  expect((await list()).map(({ name }: { name: string }) => name)).toEqual(['Apps', 'Plans']);
  expect(await list(other.key)).toEqual([]);
  expect((await save({ name: 'Plans', sql: 'SELECT 1' })).body.error.code).toBe('conflict');
  expect((await save({ name: 'Plans', sql: 'SELECT 1' }, other.key)).status).toBe(201);

  const path = `/v1/sql/queries/${id}`;
  const put = (body: object, headers = org.key) => call(path, { method: 'PUT', body, headers });
  expect((await put({ name: 'Apps' })).status).toBe(409);
  expect((await put({ sql: 'SELECT 2', parameters: {} })).body).toMatchObject({
    ...{ id, name: 'Plans', sql: 'SELECT 2', parameters: {} },
  });
  expect((await put({ name: 'x' }, other.key)).status).toBe(404);
  const remove = (headers: typeof org.key) => call(path, { method: 'DELETE', headers });
  expect((await remove(other.key)).status).toBe(404);
  expect((await remove(org.key)).status).toBe(204);
  expect(await list()).toHaveLength(1);
});

test.each([
  { sql: 'SELECT \u0000' },
  { sql: 'SELECT $n', parameters: { n: '\ud83d' } },
  { sql: 'SELECT $n', parameters: { n: 'a\u0000' } },
])('text that PostgreSQL cannot hold is refused: %j', async (body) => {
  expect((await save({ name: 'Odd', ...body })).body.error.code).toBe('invalid_input');
});

test('the views are listed with the meaning of each column', async () => {
  const { body } = await call('/v1/sql/views', { headers: org.key });
  const names = body.map(({ name }: { name: string }) => name);
  expect(names).toEqual([
    ...['events', 'people', 'exposures', 'sales', 'purchases', 'subscriptions'],
    ...['entitlements', 'apps'],
  ]);
  expect(body[0].columns[0]).toEqual({
    ...{ name: 'org_id', type: 'VARCHAR', meaning: 'The organization' },
  });
});

test('another permission sees none of it', async () => {
  const key = await createTestKey(service, org, ['analytics:read']);
  for (const path of ['/v1/sql/queries', '/v1/sql/views']) {
    expect((await call(path, { headers: key })).status).toBe(403);
  }
});
