import { expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase(), {
  // 60 batches a minute.
  env: { RATE_LIMIT_SCALE: '0.1' },
});
const { call, deps } = service;
const org = await createTestOrg(service);

const GOOD = { events: [{ name: 'app_opened', anonymousId: 'person-0001' }] };

function bodyOf(body: object | string | Buffer): string | ReadableStream {
  if (body instanceof Buffer) return new Response(body).body!;
  return typeof body === 'string' ? body : JSON.stringify(body);
}

test('the ingestion view counts every reason why a batch of a key is turned away', async () => {
  const { appId, device } = await createTestApp(service, org.orgId);
  const other = await createTestApp(service, org.orgId);
  const send = async (status: number, body: object | string | Buffer, headers: object = {}) => {
    const rawBody = bodyOf(body);
    const answer = await call('/v1/events', { rawBody, headers: { ...device, ...headers } });
    expect(answer.status).toBe(status);
  };
  await send(413, `{"events":[${' '.repeat(65 * 1024)}]}`);
  await send(413, `{"events":[${' '.repeat(65 * 1024)}]}`);
  await send(415, GOOD, { 'content-type': 'text/plain' });
  await send(400, '{"events":[');
  await send(400, Buffer.from('{"events":[{"anonymousId":"sur-\xff-0001"}]}', 'latin1'));
  await send(400, { events: [] });
  await send(400, '{"events":[{"name":"app_opened","anonymousId":"sur-\\ud83d-0001"}]}');
  await send(401, '{"events":[', { 'x-service-key': 'svp_wrong' });
  await send(413, 'x'.repeat(65 * 1024), { 'x-service-key': 'svp_wrong' });
  let limited = 0;
  for (let sent = 0; sent < 70; sent += 1) {
    const { status } = await call('/v1/events', { body: GOOD, headers: device });
    if (status === 429) limited += 1;
  }
  expect(limited).toBeGreaterThan(0);
  await deps.events.close();

  const read = async (id: string) =>
    (await call(`/v1/apps/${id}/events/ingestion`, { headers: org.key })).body;
  const { rejected, hours } = await read(appId);
  const counts = Object.fromEntries(rejected.map((one: any) => [one.reason, one.batches]));
  expect(counts).toEqual({
    body_too_large: 2,
    unsupported_media_type: 1,
    malformed_json: 2,
    invalid_batch: 2,
    rate_limited: limited,
  });
  const [malformed] = rejected.filter((one: any) => one.reason === 'malformed_json');
  expect(malformed.lastExample).toBe('anonymousId: must be UTF-8');
  const [invalid] = rejected.filter((one: any) => one.reason === 'invalid_batch');
  expect(invalid.lastExample).toStartWith('events[0].anonymousId: ');
  const total = hours.reduce((sum: number, hour: any) => sum + hour.rejected, 0);
  expect(total).toBe(7 + limited);
  expect((await read(other.appId)).rejected).toEqual([]);
});
