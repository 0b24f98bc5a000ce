import { describe, expect, test } from 'bun:test';
import { cuttableProxy } from '../../support/cuttable-proxy.ts';
import { signInAs } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestKey, createTestOrg, startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const database = await testDatabase();
const proxy = await cuttableProxy(database.url);
const service = await startTestService(database, { env: { DATABASE_URL: proxy.url } });
const org = await createTestOrg(service);
const other = await createTestOrg(service);

const log = (body: unknown, headers: Record<string, string> = org.key) =>
  service.call('/v1/logs', { body, headers });
const read = async (query = '', headers: Record<string, string> = org.key) => {
  const answer = await service.call(`/v1/logs${query}`, { headers });
  expect(answer.status).toBe(200);
  return answer.body;
};
const messages = (page: { entries: { message: string }[] }) =>
  page.entries.map((entry) => entry.message);

describe('POST /v1/logs', () => {
  test('202, and the entry can be read at once', async () => {
    const before = Date.now();
    const answer = await log({
      level: 'error',
      message: 'Payment failed',
      service: 'checkout',
      fields: { env: 'prod', requestId: 'req-1', code: null, tries: 3 },
    });
    expect([answer.status, answer.body]).toEqual([202, { accepted: true }]);
    const page = await read('?requestId=req-1');
    expect(page).toMatchObject({ total: 1, source: 'database', dropped: 0 });
    expect(page.resources).toContain('checkout');
    expect(page.envs).toContain('prod');
    const [entry] = page.entries;
    expect(entry).toMatchObject({
      level: 'error',
      message: 'Payment failed',
      service: 'checkout',
      env: 'prod',
      requestId: 'req-1',
      fields: { env: 'prod', requestId: 'req-1', code: null, tries: 3 },
    });
    expect(Date.parse(entry.timestamp)).toBeGreaterThanOrEqual(before);
  });

  test('numbers that JavaScript cannot hold are kept as sent, and found', async () => {
    const fields = `{"requestId":"numbers","id":157963456373623803,"plain":40711353552075770,"far":1e400,"nested":[{"id":-9007199254740993}]}`;
    const rawBody = `{"message":"exact","fields":${fields}}`;
    expect((await service.call('/v1/logs', { rawBody, headers: org.key })).status).toBe(202);
    const [entry] = (await read('?q=157963456373623803')).entries;
    expect(entry.fields).toEqual({
      ...{ requestId: 'numbers', id: '157963456373623803', plain: 40711353552075770 },
      ...{ far: 'Infinity', nested: [{ id: '-9007199254740993' }] },
    });
  });

  test('a service may be empty, and a hint says what a message must be, NUL included', async () => {
    expect((await log({ message: 'of nobody', service: '' })).status).toBe(202);
    expect((await read('?q=of%20nobody')).entries[0]).toMatchObject({ service: '' });
    const { body } = await log({ message: '' });
    expect(body.error.hint).toBe('message: must be 1 to 2000 characters');
  });

  test('an empty env finds the entries without one, and counts as many', async () => {
    const reader = await createTestOrg(service);
    for (const fields of [{}, { env: '' }, { env: 'prod' }]) {
      await log({ message: 'x', fields }, reader.key);
    }
    const page = await read('?env=', reader.key);
    expect([page.total, page.entries.length]).toEqual([2, 2]);
    expect((await read('?env=&q=x', reader.key)).total).toBe(2);
  });

  test('level and service have defaults', async () => {
    await log({ message: 'bare minimum' });
    const page = await read('?q=bare%20minimum');
    expect(page.entries[0]).toMatchObject({ level: 'info', service: 'service-dashboard' });
  });

  test.each([
    'a\u0000b',
    '\ud800 alone',
    'x\udfff',
    '\u001b[31mred\u0007',
    '"quoted" \\ back',
    '😀'.repeat(2_000),
    "'; DROP TABLE logs; --",
    '%_%',
    '\u202Egnp.exe',
  ])('a message can hold anything: %j', async (message) => {
    const id = crypto.randomUUID();
    const answer = await log({
      message,
      fields: { requestId: id, [message.slice(0, 50)]: message },
    });
    expect(answer.status).toBe(202);
    const page = await read(`?requestId=${id}`);
    expect(page.entries[0].message).toBe(message);
    expect(page.entries[0].fields[message.slice(0, 50)]).toBe(message);
  });

  test.each([
    [{}],
    [{ message: '' }],
    [{ message: '😀'.repeat(2_001) }],
    [{ message: 'x', level: 'loud' }],
    [{ message: 'x', service: 's'.repeat(65) }],
    [{ message: 'x', fields: 'text' }],
    [{ message: 'x', fields: [] }],
    [{ message: 7 }],
  ])('400 for %j', async (body) => {
    const answer = await log(body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_input']);
  });

  test('nesting without end is 400', async () => {
    const rawBody = `{"message":"x","fields":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`;
    const answer = await service.call('/v1/logs', { rawBody, headers: org.key });
    expect(answer.status).toBe(400);
  });

  test('without credentials 401; any key of the organization may', async () => {
    expect((await log({ message: 'x' }, {})).status).toBe(401);
    const key = await createTestKey(service, org, ['analytics:read']);
    expect((await log({ message: 'x' }, key)).status).toBe(202);
  });

  test('a signed-in member may as well', async () => {
    const session = await signInAs(service, org);
    expect((await log({ message: 'by a person' }, session)).status).toBe(202);
    expect(messages(await read('?q=by%20a%20person', session))).toEqual(['by a person']);
  });
});

describe('GET /v1/logs', () => {
  test('filters, newest first, with the total of all pages', async () => {
    const service_ = `svc-${crypto.randomUUID()}`;
    for (const [index, level] of ['info', 'warn', 'info', 'error'].entries()) {
      const env = index % 2 ? 'prod' : 'dev';
      await log({
        message: `Entry ${index}`,
        level,
        service: service_,
        fields: { env, Key: 'Vé' },
      });
    }
    const all = await read(`?resource=${service_}`);
    expect(messages(all)).toEqual(['Entry 3', 'Entry 2', 'Entry 1', 'Entry 0']);
    expect(messages(await read(`?resource=${service_}&level=info`))).toEqual([
      'Entry 2',
      'Entry 0',
    ]);
    expect(messages(await read(`?resource=${service_}&env=prod&q=entry`))).toEqual([
      'Entry 3',
      'Entry 1',
    ]);
    const some = await read(`?resource=${service_}&limit=1`);
    expect([messages(some), some.total]).toEqual([['Entry 3'], 4]);
    expect((await read(`?resource=${service_}&q=${encodeURIComponent('key vÉ')}`)).total).toBe(4);
    expect((await read(`?resource=${service_}&q=%25`)).total).toBe(0);
    const third = Date.parse(all.entries[1].timestamp);
    const since = await read(`?resource=${service_}&since=${third}`);
    expect(messages(since)).toContain('Entry 2');
    expect(messages(since)).toContain('Entry 3');
    const until_ = await read(`?resource=${service_}&until=${third}`);
    expect(messages(until_)).toContain('Entry 0');
    expect(messages(await read(`?resource=${service_}&since=${Date.now() + 60_000}`))).toEqual([]);
  });

  test('the total is the same whether it is summed from facets or counted', async () => {
    const own = await createTestOrg(service);
    const now = Date.now();
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        log(
          {
            message: `n ${index}`,
            level: index % 2 ? 'info' : 'warn',
            service: `s${index % 3}`,
            fields: index % 4 ? { env: `e${index % 4}` } : {},
          },
          own.key,
        ),
      ),
    );
    for (const query of [
      '',
      'level=info',
      'resource=s1',
      'env=e2',
      'resource=s0&env=e1&level=warn',
    ]) {
      const summed = await read(`?limit=1000&${query}`, own.key);
      const counted = await read(`?since=${now - 60_000}&${query}`, own.key);
      expect(summed.total).toBe(counted.total);
      expect(summed.total).toBe(summed.entries.length);
    }
  });

  test('an organization sees its own entries, services and environments only', async () => {
    await log({ message: 'secret', service: 'hidden', fields: { env: 'hidden-env' } });
    const page = await read('?q=secret', other.key);
    expect(page).toMatchObject({ total: 0, entries: [] });
    expect(page.resources).not.toContain('hidden');
    expect(page.envs).not.toContain('hidden-env');
  });

  test.each(['limit=0', 'limit=1001', 'limit=x', 'level=loud', 'since=x', 'until=', 'limit=1.5'])(
    '400 for %s',
    async (query) => {
      const answer = await service.call(`/v1/logs?${query}`, { headers: org.key });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_input']);
    },
  );

  test('many hits and few hits give the same kind of page', async () => {
    await database.sql`
      INSERT INTO logs (org_id, at, log_id, level, service, entry, haystack)
      SELECT ${other.orgId}, date_trunc('milliseconds', now()) - i * interval '1 millisecond', 'log_' || i, 'info', 'bulk',
        '{"message":"bulk ' || i || '","fields":{}}', 'bulk ' || i
      FROM generate_series(1, 30000) AS i`;
    const many = await read('?q=bulk&limit=3', other.key);
    expect([messages(many), many.total]).toEqual([['bulk 1', 'bulk 2', 'bulk 3'], 30_000]);
    const few = await read('?q=bulk%202999&limit=3', other.key);
    expect([messages(few), few.total]).toEqual([['bulk 2999', 'bulk 29990', 'bulk 29991'], 11]);
  });
});

describe('with PostgreSQL away', () => {
  test('ingest answers 202, memory answers queries, and all is written once it is back', async () => {
    await log({ message: 'before the outage' });
    await read('?limit=1', other.key);
    proxy.cut();
    for (const index of [1, 2, 3]) {
      const answer = await log({ message: `outage ${index}`, fields: { env: 'dark' } });
      expect(answer.status).toBe(202);
    }
    const page = await read('?q=outage');
    expect(page).toMatchObject({
      source: 'memory',
      dropped: 0,
      envs: expect.arrayContaining(['dark']),
    });
    expect(messages(page)).toEqual(['outage 3', 'outage 2', 'outage 1', 'before the outage']);
    expect(messages(await read('?q=outage', other.key))).toEqual([]);
    expect((await log({ message: 'x' }, { 'x-api-key': 'svk_unknown' })).status).not.toBe(202);

    proxy.mend();
    const back = await until('what was held is written', async () => {
      const again = await read('?q=outage');
      return again.source === 'database' && again.total === 4 && again;
    });
    expect(messages(back)).toEqual(['outage 3', 'outage 2', 'outage 1', 'before the outage']);
    await log({ message: 'after the outage' });
    expect((await read('?q=the%20outage')).total).toBe(2);
  });

  test('a database that hangs counts as away', async () => {
    await log({ message: 'before the hang' });
    proxy.freeze();
    expect((await log({ message: 'while it hangs' })).status).toBe(202);
    const page = await read('?q=hang');
    expect(page.source).toBe('memory');
    expect(messages(page)).toEqual(['while it hangs', 'before the hang']);
    proxy.mend();
    await until('what was held is written', async () => {
      const again = await read('?q=hang');
      return again.source === 'database' && again.total === 2;
    });
  });
});
