import { describe, expect, test } from 'bun:test';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sweepOrphans } from '../../../src/event-store/catalogue/sweep.ts';
import { missingDependency, watchReadiness } from '../../../src/modules/system/readiness.ts';
import { startQueries } from '../../../src/query/start.ts';
import { HOUR_MS } from '../../../src/shared/time.ts';
import { createSql } from '../../../src/storage/postgres.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { testTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { runTestWorker } from '../../support/worker.ts';

const temporal = await testTemporal();
const database = await testDatabase();
const token = 'a-token-for-metrics-0123';
const service = await startTestService(database, { temporal, env: { METRICS_TOKEN: token } });
const org = await createTestOrg(service);

const status = async () => (await service.call('/v1/status', { headers: org.key })).body;
const dependency = (body: any, name: string) =>
  body.dependencies.find((one: any) => one.name === name);
const stateOf = (body: any, name: string) => dependency(body, name).status;
const detailOf = (body: any, name: string) => dependency(body, name).detail;

describe('GET /v1/status', () => {
  test('tells what answers and what does not, and what that means', async () => {
    expect(detailOf(await status(), 'temporal')).toContain('No worker polls the task queue');
    const worker = await runTestWorker(service.deps, temporal);
    await until('a worker polls', async () => stateOf(await status(), 'temporal') === 'up');
    const before = await status();
    expect(before.ok).toBe(false);
    expect(stateOf(before, 'postgres')).toBe('up');
    expect(stateOf(before, 'temporal')).toBe('up');
    expect(stateOf(before, 'queries')).toBe('down');
    const queries = await startQueries(service.deps, 0);
    expect(await status()).toMatchObject({ ok: true, service: 'mobile-control-plane' });
    await queries.stop();
    expect(stateOf(await status(), 'queries')).toBe('down');
    await worker.stop();
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

  test('is answered, as are metrics, while the event log cannot be read', async () => {
    const other = await startTestService(await testDatabase(), { env: { METRICS_TOKEN: token } });
    const { key } = await createTestOrg(other);
    const { logDir } = other.deps.config.events;
    await rm(logDir, { recursive: true, force: true });
    await mkdir(dirname(logDir), { recursive: true });
    await writeFile(logDir, 'no folder');
    const asked = { headers: { authorization: `Bearer ${token}` } };
    const [metrics, found] = [
      (await other.call('/metrics', asked)).status,
      await other.call('/v1/status', { headers: key }),
    ];
    await rm(logDir);
    const later = (await other.call('/metrics', asked)).status;
    expect({ metrics, status: found.status, later }).toEqual({
      metrics: 200,
      status: 200,
      later: 200,
    });
    expect(stateOf(found.body, 'compaction')).toBe('down');
  });

  test('gives the release, the room on the disk, and the address of workflows where it is set', async () => {
    expect(await status()).toMatchObject({
      release: expect.stringMatching(/^\d+\.\d+\.\d+/),
      diskFreeBytes: expect.any(Number),
      temporalUiUrl: null,
      backups: {
        scheduled: false,
        everyHours: null,
        lastVerifiedAt: null,
        lastAttemptAt: null,
        lastAttempt: null,
      },
      propertyColumns: { bytes: 0, budgetBytes: 4_096 * 1024 * 1024, properties: 0 },
      orphanFiles: null,
    });
    const env = { TEMPORAL_UI_URL: 'https://workflows.example.com/' };
    const watched = await startTestService(database, { temporal, env });
    const { body } = await watched.call('/v1/status', { headers: org.key });
    expect(body.temporalUiUrl).toBe('https://workflows.example.com');
  });

  test('counts event files that the catalogue does not name', async () => {
    await service.deps.objects.putBytes('events/level0/2026-01-01/lost.parquet', Buffer.from('x'));
    await sweepOrphans(service.deps, Date.now() + 2 * HOUR_MS);
    const { orphanFiles } = await status();
    expect(orphanFiles).toEqual({ files: 1, bytes: 1, countedAt: expect.any(String) });
    const scraped = await service.call('/metrics', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(scraped.text).toContain('event_orphan_files{role="api"} 1');
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

  test('waits for a dependency that hangs once, not with each scrape', async () => {
    const lonely = await startTestService(database, { env: { METRICS_TOKEN: token } });
    const scrape = () => lonely.call('/metrics', { headers: { authorization: `Bearer ${token}` } });
    expect((await scrape()).text).toContain('dependency_up{dependency="temporal",role="api"} 0');
    lonely.deps.temporal.fault = () => new Promise(() => undefined);
    for (let n = 0; n < 3; n += 1) expect((await scrape()).status).toBe(200);
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

describe('ingest', () => {
  test('that has stopped shows in the status, the metrics and the ingestion view', async () => {
    const full = await startTestService(database, {
      temporal,
      env: { METRICS_TOKEN: token, DISK_FLOOR_MB: '1000000' },
    });
    const { appId, device } = await createTestApp(full, org.orgId);
    const body = { events: [{ name: 'opened', anonymousId: 'somebody' }] };
    const refused = await full.call('/v1/events', { headers: device, body });
    expect(refused.status).toBe(503);
    const answer = (await full.call('/v1/status', { headers: org.key })).body;
    expect(stateOf(answer, 'ingest')).toBe('down');
    expect(answer.ok).toBe(false);
    const { text } = await full.call('/metrics', { headers: { authorization: `Bearer ${token}` } });
    expect(text).toContain('events_refused_total{reason="unavailable",role="api"} 1');
    expect(text).toContain('events_accepted_total{role="api"} 0');
    expect(text).toContain('event_fields_ignored_total{place="event",role="api"} 0');
    expect(text).toContain('dependency_up{dependency="ingest",role="api"} 0');
    for (const name of [
      'disk_free_bytes',
      'event_compaction_age_seconds',
      'outbox_oldest_seconds',
      'purchase_notifications_unapplied',
      'webhook_deliveries_failed',
    ]) {
      expect(text).toMatch(new RegExp(`^${name}\\{role="api"\\} \\d`, 'm'));
    }
    await full.deps.events.close();
    const [row] = await database.sql`
      SELECT reason FROM event_rejections WHERE app_id = ${appId}`;
    expect(row?.reason).toBe('unavailable');
  });
});

describe('readiness', () => {
  test('needs the database, and waits only so long for questions and Temporal', async () => {
    const lonely = await startTestService(database);
    expect(await missingDependency(lonely.deps)).toMatchObject({
      reason: 'no query process answers yet',
      graceMs: 60_000,
    });
    const [own, others] = await Promise.all([
      startQueries(lonely.deps, 0),
      startQueries(service.deps, 0),
    ]);
    expect((await missingDependency(lonely.deps))?.graceMs).toBeLessThan(10_000);
    expect(await missingDependency(service.deps)).toBeNull();
    await Promise.all([own.stop(), others.stop()]);
    const sql = createSql('postgres://x:x@127.0.0.1:1/x', {
      maxConnections: 1,
      applicationName: 't',
    });
    const without = await missingDependency({ ...service.deps, sql } as any);
    expect(without?.graceMs).toBe(Number.POSITIVE_INFINITY);
    await sql.end();
  });

  test('comes without Temporal', async () => {
    const lonely = await startTestService(database);
    const queries = await startQueries(lonely.deps, 0);
    const readiness = await watchReadiness(lonely.deps);
    await until('it is ready', () => readiness.isReady());
    await queries.stop();
    expect(readiness.isReady()).toBe(true);
    readiness.stop();
  });
});
