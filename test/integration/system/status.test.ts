import { describe, expect, test } from 'bun:test';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startQueries } from '../../../src/query/start.ts';
import { HOUR_MS } from '../../../src/shared/time.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';
import { testTemporal } from '../../support/temporal.ts';

const temporal = await testTemporal();
const database = await testDatabase();
const token = 'a-token-for-metrics-0123';
const service = await startTestService(database, { temporal, env: { METRICS_TOKEN: token } });
const org = await createTestOrg(service);

const status = async () => (await service.call('/v1/status', { headers: org.key })).body;
const stateOf = (body: any, name: string) =>
  body.dependencies.find((one: any) => one.name === name).status;

describe('GET /v1/status', () => {
  test('tells what answers and what does not, and what that means', async () => {
    const before = await status();
    expect(before.ok).toBe(false);
    expect(stateOf(before, 'postgres')).toBe('up');
    expect(stateOf(before, 'temporal')).toBe('up');
    expect(stateOf(before, 'queries')).toBe('down');
    const queries = await startQueries(service.deps, 0);
    expect(await status()).toMatchObject({ ok: true, service: 'mobile-control-plane' });
    await queries.stop();
    expect(stateOf(await status(), 'queries')).toBe('down');
  });

  test('says that nobody puts the events of this host into files', async () => {
    expect(stateOf(await status(), 'compaction')).toBe('up');
    const { logDir } = service.deps.config.events;
    const segment = join(logDir, 'gone-1.00000001.log');
    await mkdir(logDir, { recursive: true });
    await writeFile(segment, 'x');
    expect(stateOf(await status(), 'compaction')).toBe('up');
    const before = new Date(Date.now() - HOUR_MS);
    await utimes(segment, before, before);
    expect(stateOf(await status(), 'compaction')).toBe('down');
    await rm(segment);
  });

  test('is for members and organization keys only', async () => {
    expect((await service.call('/v1/status')).status).toBe(401);
  });

  test('says that Temporal is away, within the time of a probe', async () => {
    const lonely = await startTestService(database);
    const { body } = await lonely.call('/v1/status', { headers: org.key });
    expect(stateOf(body, 'temporal')).toBe('down');
    expect(body.ok).toBe(false);
  });
});

describe('GET /metrics', () => {
  const metrics = (authorization?: string) =>
    service.call('/metrics', { headers: authorization === undefined ? {} : { authorization } });

  test('is Prometheus text for who holds the token', async () => {
    const answer = await metrics(`Bearer ${token}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(answer.text).toContain('dependency_up{dependency="postgres",role="api"} 1');
    expect(answer.text).toContain('http_request_duration_seconds_bucket');
  });

  test.each([undefined, 'Bearer wrong', 'Bearer '])(
    'with %p there is no such route',
    async (given) => {
      const answer = await metrics(given);
      expect(answer.status).toBe(404);
      expect(answer.body.error.code).toBe('not_found');
    },
  );
});
