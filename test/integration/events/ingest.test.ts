import { describe, expect, test } from 'bun:test';
import { chmod, mkdir, rm, symlink } from 'node:fs/promises';
import { scanRecords } from '../../../src/event-store/log/record.ts';
import { listSegments } from '../../../src/event-store/log/segments.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { smallDisk } from '../../support/small-disk.ts';

const database = await testDatabase();
const service = await startTestService(database, { env: { DISK_FLOOR_MB: '1' } });
const org = await createTestOrg(service);
const app = await createTestApp(service, org.orgId);

const isRoot = process.getuid?.() === 0;
const good = { name: 'app_opened', anonymousId: 'anon-0001' };
const send = (body: unknown, headers: Record<string, string> = app.device) =>
  service.call('/v1/events', { body, headers });

/** The bodies in the log, as they were sent. */
async function logged(): Promise<string[]> {
  const bodies: string[] = [];
  for (const { path } of await listSegments(service.deps.config.events.logDir)) {
    const { records } = scanRecords(await Bun.file(path).bytes());
    bodies.push(...records.map((record) => Buffer.from(record.body).toString()));
  }
  return bodies;
}

describe('POST /v1/events', () => {
  test('answers 202 with the count once the batch is in the log as it was sent', async () => {
    const rawBody =
      '{ "events": [{"anonymousId":"anon-0001",  "name":"app_opened","props":{"é":1.0}}] }';
    const answer = await service.call('/v1/events', { rawBody, headers: app.device });
    expect(answer).toMatchObject({ status: 202, body: { accepted: 1 } });
    expect(answer.headers.get('ratelimit-policy')).toStartWith('"events";q=');
    expect(await logged()).toContain(rawBody);
  });

  test('counts fields that nothing reads in a metric, of batches that it takes only', async () => {
    const fields = async () =>
      (await service.deps.metrics.registry.metrics()).match(
        /event_fields_ignored_total\{place="event".*\} (\d+)/,
      )?.[1];
    await send({ events: [{ ...good, properties: {} }, good, { ...good, name: 'Bad' }] });
    expect(await fields()).toBe('0');
    await send({ events: [{ ...good, properties: {}, timestamp: 1 }, good] });
    expect(await fields()).toBe('2');
  });

  test('takes nothing of a batch that is not right, and names event and field', async () => {
    const before = await logged();
    const answer = await send({ events: [good, { ...good, name: 'Bad' }] });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_batch' } } });
    expect(answer.body.error.hint).toStartWith('events[1].name: ');
    expect(answer.body.error.message).toContain('Event 1');
    expect(await logged()).toEqual(before);
  });

  test.each(['id', 'anonymousId', 'userId', 'sessionId'])(
    'refuses half a character in %s, which would make one of two',
    async (field) => {
      const before = await logged();
      for (const half of ['\\ud83d', '\\uDE00']) {
        const broken = JSON.stringify({ ...good, [field]: 'sur-HALF-0001' });
        const rawBody = `{"events":[${JSON.stringify(good)},${broken.replace('HALF', half)}]}`;
        const answer = await service.call('/v1/events', { rawBody, headers: app.device });
        expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_batch' } } });
        expect(answer.body.error.hint).toStartWith(`events[1].${field}: `);
        expect(answer.body.error.hint).toContain('lone surrogates');
      }
      expect(await logged()).toEqual(before);
    },
  );

  test('takes a property or version that an app cut in half, and whole pairs everywhere', async () => {
    const whole = { ...good, id: 'sur-😀-001', anonymousId: 'sur-😀-0001', userId: '😀' };
    const body = {
      events: [{ ...whole, props: { title: 'cut \ud83d' } }],
      context: { appVersion: '\ud83d' },
    };
    expect(await send(body)).toMatchObject({ status: 202, body: { accepted: 1 } });
  });

  test('refuses bytes that are not UTF-8, and names the field', async () => {
    const before = await logged();
    const rawBody = Buffer.from(
      '{"events":[{"name":"app_opened","anonymousId":"sur-\xff-0001"}]}',
      'latin1',
    );
    const answer = await service.call('/v1/events', {
      rawBody: new Response(rawBody).body!,
      headers: app.device,
    });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'malformed_json' } } });
    expect(answer.body.error.message).toContain('not UTF-8');
    expect(answer.body.error.hint).toBe('anonymousId: must be UTF-8');
    expect(await logged()).toEqual(before);
  });

  test('asks for the key before it looks at the batch', async () => {
    const nobody = await send({ nonsense: true }, {});
    expect(nobody).toMatchObject({ status: 401, body: { error: { code: 'invalid_service_key' } } });
    const unknown = await send({ events: [good] }, { 'x-service-key': 'svp_unknown' });
    expect(unknown.status).toBe(401);
  });

  test('refuses what is no JSON, too large, or of another type', async () => {
    const call = (rawBody: string, headers = {}) =>
      service.call('/v1/events', {
        method: 'POST',
        rawBody,
        headers: { ...app.device, ...headers },
      });
    expect(await call('{"events": [')).toMatchObject({
      status: 400,
      body: { error: { code: 'malformed_json' } },
    });
    expect(await call('')).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_batch' } },
    });
    expect((await call('x'.repeat(65 * 1024))).status).toBe(413);
    expect((await call('{}', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  test('may be called from any page', async () => {
    const answer = await send(
      { events: [good] },
      { ...app.device, origin: 'https://shop.example' },
    );
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('takes a batch of 64 KB to the byte', async () => {
    const frame = JSON.stringify({ events: [good], padding: '' });
    const rawBody = frame.replace('""', `"${'x'.repeat(64 * 1024 - frame.length)}"`);
    expect(rawBody.length).toBe(64 * 1024);
    expect((await service.call('/v1/events', { rawBody, headers: app.device })).status).toBe(202);
  });

  test('stops an app at its cap of the day, and says until when', async () => {
    const capped = await createTestApp(service, org.orgId);
    await database.sql`
      INSERT INTO app_limits (app_id, org_id, name, points)
      VALUES (${capped.appId}, ${org.orgId}, 'eventsPerDay', 1)`;
    // The tests' service multiplies every limit by 1,000.
    const hundred = { events: Array.from({ length: 100 }, () => good) };
    for (let i = 0; i < 10; i += 1) expect((await send(hundred, capped.device)).status).toBe(202);
    const answer = await send({ events: [good] }, capped.device);
    expect(answer).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await send({ events: [good] })).status).toBe(202);
  });

  test('counts what it turns away, with the last example', async () => {
    const other = await createTestApp(service, org.orgId);
    await send({ events: [] }, other.device);
    await send({ events: [{ ...good, name: 'Bad\u0000' }] }, other.device);
    await service.deps.events.close();
    const rows = await database.sql`SELECT * FROM event_rejections WHERE app_id = ${other.appId}`;
    expect(rows).toMatchObject([
      {
        ...{ reason: 'invalid_batch', batches: 2 },
        last_example: expect.stringContaining('events[0].name'),
      },
    ]);
  });
});

describe('a disk that cannot take more', () => {
  test('under its floor is 503, and the client keeps its batch', async () => {
    const full = await startTestService(database, { env: { DISK_FLOOR_MB: '1000000' } });
    const answer = await full.call('/v1/events', { body: { events: [good] }, headers: app.device });
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect(answer.headers.get('retry-after')).toBe('30');
  });

  test('whose folder cannot be made is 503, and it goes on once it can', async () => {
    const broken = await startTestService(database, { env: { DISK_FLOOR_MB: '1' } });
    const { logDir } = broken.deps.config.events;
    await Bun.write(logDir, 'a file where the folder should be');
    const call = () => broken.call('/v1/events', { body: { events: [good] }, headers: app.device });
    expect(await call()).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    await rm(logDir);
    expect((await call()).status).toBe(202);
  });

  const readOnlyDisk = isRoot ? smallDisk(16) : null;
  const canLock = !isRoot || readOnlyDisk !== null;
  if (!canLock) console.log('not run: a log that may not be written (root may, and cannot mount)');

  test.skipIf(!canLock)('whose folder may not be written is 503', async () => {
    const locked = await startTestService(database, { env: { DISK_FLOOR_MB: '1' } });
    const { logDir } = locked.deps.config.events;
    const setWritable = async (isWritable: boolean): Promise<void> => {
      if (readOnlyDisk) readOnlyDisk.setWritable(isWritable);
      else await chmod(logDir, isWritable ? 0o700 : 0o500);
    };
    if (readOnlyDisk) await symlink(readOnlyDisk.dir, logDir);
    else await mkdir(logDir, { recursive: true });
    await setWritable(false);
    const call = () => locked.call('/v1/events', { body: { events: [good] }, headers: app.device });
    expect((await call()).status).toBe(503);
    await setWritable(true);
    expect((await call()).status).toBe(202);
  });
});
