import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queries } from '../../../src/query/client.ts';
import { querySocket } from '../../../src/query/protocol.ts';
import { testDatabase } from '../../support/postgres.ts';
import { endQueryProcess, startQueryProcess } from '../../support/query-process.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const database = await testDatabase();
/** A process may take long to start where much else runs. */
const queriesOf = (runDir: string) =>
  new Queries({ runDir, processes: 1, timeoutSeconds: 600, startWaitMs: 600_000 });
const service = await startTestService(database, {
  with: ({ config }) => ({ queries: queriesOf(config.runDir) }),
});
const { call, deps } = service;
const org = await createTestOrg(service);
const { appId, device } = await createTestApp(service, org.orgId);

const startProcess = (env?: Record<string, string>) =>
  startQueryProcess({ database, dataDir: service.dataDir }, env);

/** A socket that passes on to another, and says when something has been passed on. */
function relayTo(path: string): { runDir: string; arrived: Promise<void> } {
  const runDir = mkdtempSync(join(tmpdir(), 'relay-'));
  const arrived = Promise.withResolvers<void>();
  const server = createServer((client) => {
    const upstream = connect(path);
    client.on('data', (bytes) => upstream.write(bytes, () => arrived.resolve()));
    upstream.on('data', (bytes) => client.write(bytes));
    for (const socket of [client, upstream]) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
  });
  server.listen(querySocket(runDir, 0));
  afterAll(() => {
    server.close();
  });
  return { runDir, arrived: arrived.promise };
}

const summary = () => call(`/v1/apps/${appId}/events/summary`, { headers: org.key });

const send = (count: number) =>
  call('/v1/events', {
    headers: device,
    body: {
      events: Array.from({ length: count }, (_, i) => ({
        name: 'app_opened',
        anonymousId: `person-${i}`,
      })),
    },
  });

describe('the query process', () => {
  test('that is killed fails the query it has, and nothing else', async () => {
    const child = await startProcess();
    expect((await send(3)).status).toBe(202);
    expect((await summary()).body).toMatchObject({ people: 3, events: 3 });

    // Stopped, it takes the query and never answers; then it dies with it.
    child.kill('SIGSTOP');
    const { runDir, arrived } = relayTo(querySocket(deps.config.runDir, 0));
    const relayed = await startTestService(database, {
      with: () => ({ queries: queriesOf(runDir) }),
    });
    const lost = relayed.call(`/v1/apps/${appId}/events/summary`, { headers: org.key });
    await arrived;
    await endQueryProcess(child, 'SIGKILL');
    const { status, headers, body } = await lost;
    expect(status).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(body.error).toEqual({
      code: 'unavailable',
      message: 'The query was stopped before it finished.',
      hint: 'Try again.',
    });

    // Ingest has not noticed, and a query asked meanwhile waits for the next process.
    expect((await send(5)).status).toBe(202);
    const waiting = summary();
    const next = await startProcess();
    expect((await waiting).body).toMatchObject({ people: 5, events: 8 });
    await endQueryProcess(next, 'SIGTERM');
  });

  test('ends a query whose time is over with one clear 503', async () => {
    const child = await startProcess({ QUERY_TIMEOUT_SECONDS: '0.0001' });
    const { status, body } = await summary();
    expect(status).toBe(503);
    expect(body.error).toMatchObject({
      code: 'unavailable',
      message: 'The query took too long.',
    });
    await endQueryProcess(child, 'SIGTERM');
  });

  test('listens where only its user can ask', async () => {
    const child = await startProcess();
    const { mode } = await Bun.file(querySocket(deps.config.runDir, 0)).stat();
    expect(mode & 0o077).toBe(0);
    const unix = querySocket(deps.config.runDir, 0);
    const nonsense = await fetch('http://query/summary', { unix, method: 'POST', body: '{}' });
    expect(await nonsense.json()).toMatchObject({ fault: 'failed' });
    expect((await fetch('http://query/nothing', { unix })).status).toBe(404);
    await endQueryProcess(child, 'SIGTERM');
  });
});
