import { afterAll, expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const received: { path: string; body: any }[] = [];
/** What an OTLP collector takes: JSON. */
const collector = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => {
    received.push({ path: new URL(request.url).pathname, body: await request.json() });
    return Response.json({});
  },
});
afterAll(() => collector.stop(true));

test('requests leave as spans, without anything secret', async () => {
  const service = await startTestService(await testDatabase(), {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}` },
  });
  const org = await createTestOrg(service);
  await service.call('/v1/apps', { headers: org.key });
  await service.call('/v1/apps', {});
  const { metrics: prometheus } = service.deps;
  // Requests are recorded once their answer is on its way.
  await until('both requests are recorded', async () => {
    const text = await prometheus.registry.metrics();
    return text.includes('status="200"') && text.includes('status="401"');
  });
  await service.deps.telemetry.close();

  const traces = received.filter((one) => one.path === '/v1/traces');
  const spans = traces.flatMap((one) =>
    one.body.resourceSpans.flatMap((resource: any) =>
      resource.scopeSpans.flatMap((scope: any) => scope.spans),
    ),
  );
  const statuses = spans
    .filter((span: any) => span.name === 'GET /v1/apps')
    .map((span: any) => span.attributes.find((one: any) => one.key === 'http.response.status_code'))
    .map((attribute: any) => Number(attribute.value.intValue));
  expect(statuses.toSorted()).toEqual([200, 401]);
  expect(JSON.stringify(received)).not.toContain(org.apiKey);
});

test('without an endpoint nothing is sent', async () => {
  const before = received.length;
  const service = await startTestService(await testDatabase());
  await service.call('/healthz');
  await service.deps.telemetry.close();
  expect(received.length).toBe(before);
});
