import { describe, expect, test } from 'bun:test';
import { startCodecServer } from '../../src/temporal/codec-server.ts';
import { appProvisioningContract } from '../../src/temporal/contracts/apps.ts';
import { openPayloadCodec } from '../../src/temporal/data-converter.ts';
import { testDatabase } from '../support/postgres.ts';
import { createTestOrg, startTestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

const temporal = await testTemporal();
const service = await startTestService(await testDatabase(), {
  temporal,
  env: { TEMPORAL_PAYLOADS: 'encrypted' },
});
const { deps } = service;
const org = await createTestOrg(service);
await startTestWorker(deps, temporal);
const codec = await openPayloadCodec(deps.secrets);
const ui = 'http://localhost:8233';
const TOKEN = 'a-token-for-the-codec-endpoint';
const server = startCodecServer(codec, { port: 0, token: TOKEN, uiOrigins: [ui] });

const body = { slug: 'encrypted-app', displayName: 'Top secret name' };
const { id } = (await service.call('/v1/apps', { headers: org.key, body })).body;
await until('the app is active', async () => {
  const answer = await service.call(`/v1/apps/${id}`, { headers: org.key });
  return answer.body.status === 'active';
});
const workflowId = appProvisioningContract.workflowId({ orgId: org.orgId, appId: id });

/** What the UI gets over the wire: bytes in base64. */
const describeRaw = async () => {
  const answer = await temporal.connection.workflowService.describeWorkflowExecution({
    namespace: temporal.namespace,
    execution: { workflowId },
  });
  const summary = answer.executionConfig?.userMetadata?.summary;
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  return {
    metadata: Object.fromEntries(
      Object.entries(summary?.metadata ?? {}).map(([key, value]) => [key, base64(value)]),
    ),
    data: base64(summary?.data ?? new Uint8Array()),
  };
};

const post = (
  path: string,
  payload: unknown,
  headers: Record<string, string> = {},
  token = TOKEN,
) =>
  fetch(`${server.address}/${token}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-namespace': 'default', ...headers },
    body: JSON.stringify(payload),
  });

describe('encrypted payloads', () => {
  test('neither history nor summary holds anything readable', async () => {
    const { events } = await temporal.client.workflow.getHandle(workflowId).fetchHistory();
    // Ids stand in the workflow id and the search attributes; the input itself does not.
    const started = events?.[0]?.workflowExecutionStartedEventAttributes;
    const input = Buffer.from(started?.input?.payloads?.[0]?.data ?? []).toString();
    expect(input.length).toBeGreaterThan(0);
    expect(input).not.toContain(id);
    const summary = await describeRaw();
    expect(Buffer.from(summary.data, 'base64').toString()).not.toMatch(/Provision|secret/);
    expect(Buffer.from(summary.metadata.encoding!, 'base64').toString()).toBe('binary/encrypted');
  });

  test('the UI reads the summary through the codec endpoint', async () => {
    const answer = await post('/decode', { payloads: [await describeRaw()] }, { origin: ui });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(ui);
    const { payloads } = (await answer.json()) as any;
    const text = Buffer.from(payloads[0].data, 'base64').toString();
    expect(JSON.parse(text)).toBe(`Provision ${id} (Top secret name, Test)`);
  });

  test('the codec endpoint encodes nothing', async () => {
    const payload = {
      metadata: { encoding: Buffer.from('json/plain').toString('base64') },
      data: Buffer.from('"hello"').toString('base64'),
    };
    expect((await post('/encode', { payloads: [payload] })).status).toBe(404);
  });

  test('another page, another path and garbage are refused', async () => {
    const foreign = await post('/decode', { payloads: [] }, { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    expect((await post('/elsewhere', {})).status).toBe(404);
    expect((await post('/decode', { payloads: 'x' })).status).toBe(400);
    expect((await post('/decode', { payloads: [] }, {}, 'another-token')).status).toBe(404);
    expect((await fetch(`${server.address}/decode`, { method: 'POST', body: '{}' })).status).toBe(
      404,
    );
    const preflight = await fetch(`${server.address}/${TOKEN}/decode`, {
      method: 'OPTIONS',
      headers: { origin: ui },
    });
    expect(preflight.status).toBe(204);
    await server.stop();
  });
});
