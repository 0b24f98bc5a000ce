import { afterEach, describe, expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { google } from '@temporalio/proto';
import { loadConfig } from '../../../src/config.ts';
import { freePort } from '../../../src/launcher/embedded/ports.ts';
import { findTemporalCli } from '../../../src/launcher/embedded/temporal-cli.ts';
import { TASK_QUEUE } from '../../../src/temporal/contracts/workflow.ts';
import { bootstrapClient } from '../../support/crash-client.ts';
import { isHealthy, startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';

const { Duration } = google.protobuf;
const cli = await findTemporalCli(loadConfig(process.env).temporal, console.log);

const ending: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
});

/** A server as an operator starts one, which knows nothing of this service. */
async function ownServer(port: number) {
  const child = Bun.spawn(
    [cli, 'server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port)],
    { stdout: 'ignore', stderr: 'ignore', env: { HOME: mkdtempSync(join(tmpdir(), 'own-')) } },
  );
  const address = `127.0.0.1:${port}`;
  await until('the server answers', () =>
    Connection.connect({ address }).then(
      (connection) => connection.close().then(() => true),
      () => false,
    ),
  );
  const end = async () => {
    child.kill('SIGKILL');
    await child.exited;
  };
  ending.push(end);
  return { address, end };
}

async function connect(address: string): Promise<Connection> {
  const connection = await Connection.connect({ address });
  ending.push(() => connection.close());
  return connection;
}

async function started(env: Record<string, string> = {}) {
  const instance = await startInstance({ env: { RATE_LIMIT_SCALE: '1000', ...env } });
  ending.push(() => instance.stop());
  const { call } = bootstrapClient(instance, 'own', env);
  const read = async (path: string): Promise<any> => (await call('GET', path)).json();
  const temporal = async () =>
    (await read('/v1/status')).dependencies.find((one: any) => one.name === 'temporal');
  let made = 0;
  const appBecomesActive = async () => {
    made += 1;
    const app = { slug: `app-${made}`, displayName: 'An app' };
    const { id }: any = await (await call('POST', '/v1/apps', app)).json();
    await until(
      'the app is active',
      async () => (await read(`/v1/apps/${id}`)).status === 'active',
    );
  };
  const isUp = async () => (await temporal()).status === 'up';
  return { instance, call, temporal, appBecomesActive, isUp };
}

describe('the embedded Temporal', () => {
  test('gets its namespace again when somebody deletes it', async () => {
    const { instance, temporal, appBecomesActive, isUp } = await started();
    await appBecomesActive();
    const ports = await Bun.file(join(instance.dataDir, 'temporal', 'ports.json')).json();
    const connection = await connect(`127.0.0.1:${ports.grpc}`);
    await connection.operatorService.deleteNamespace({ namespace: 'default' });
    await until('the status says so', async () => (await temporal()).status === 'down');
    await appBecomesActive();
    await until('the status is up again', isUp);
    expect(instance.log()).toContain('the Temporal namespace is gone');
    expect(instance.log()).not.toContain('"error":{}');
  });
});

describe("an operator's Temporal", () => {
  test('gets its search attributes, refuses a second installation, and gets them again when it lost its database', async () => {
    const port = await freePort();
    const first = await ownServer(port);
    const { address } = first;
    const { instance, appBecomesActive, isUp } = await started({ TEMPORAL_ADDRESS: address });
    expect(instance.errors()).toContain('The control plane is ready.');
    await appBecomesActive();
    const connection = await connect(address);
    await connection.operatorService.removeSearchAttributes({
      namespace: 'default',
      searchAttributes: ['OrgId', 'AppId'],
    });
    await until('they are there again', async () => {
      const { customAttributes } = await connection.operatorService.listSearchAttributes({
        namespace: 'default',
      });
      return customAttributes?.OrgId === 2 && customAttributes.AppId === 2;
    });
    const second = await started({ TEMPORAL_ADDRESS: address });
    expect(second.instance.errors()).not.toContain('is ready');
    expect(second.instance.errors()).toContain(
      'The Temporal namespace "default" is used by another installation (',
    );
    expect(second.instance.errors()).toContain('give this one a TEMPORAL_NAMESPACE of its own.');
    expect(await isHealthy(second.instance.url)).toBe(false);
    expect(await second.temporal()).toMatchObject({
      status: 'down',
      detail: expect.stringContaining('is used by another installation ('),
    });
    const made = await second.call('POST', '/v1/apps', { slug: 'drill', displayName: 'A drill' });
    expect(made.status).toBe(201);
    const { id: drillApp }: any = await made.json();
    for (let count = 0; count < 5; count += 1) await appBecomesActive();
    expect(await isUp()).toBe(true);
    const client = new Client({ connection });
    const runs = await Array.fromAsync(client.workflow.list());
    expect(runs.filter(({ workflowId }) => workflowId.includes(drillApp))).toEqual([]);
    const { pollers } = await client.workflowService.describeTaskQueue({
      namespace: 'default',
      taskQueue: { name: TASK_QUEUE },
      taskQueueType: 1,
    });
    expect(new Set(pollers?.map(({ identity }) => identity?.split('/')[1])).size).toBe(1);
    await second.instance.stop();
    await first.end();
    await ownServer(port);
    await appBecomesActive();
    await until('the status is up again', isUp);
  });

  test('without the namespace keeps the start from calling itself ready; one that keeps closed runs for hours only is used, and the log says so once', async () => {
    const { address } = await ownServer(await freePort());
    const env = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'nope' };
    const { instance, temporal, appBecomesActive } = await started(env);
    expect(instance.errors()).not.toContain('is ready');
    const command = 'temporal operator namespace create --namespace nope --retention 72h';
    expect(instance.errors()).toContain(command);
    expect(await isHealthy(instance.url)).toBe(false);
    expect(await temporal()).toMatchObject({
      status: 'down',
      detail: expect.stringContaining('Namespace nope is not found'),
    });
    expect(instance.log().split(command).length - 1).toBeLessThanOrEqual(2);
    const connection = await connect(address);
    await connection.workflowService.registerNamespace({
      namespace: 'nope',
      workflowExecutionRetentionPeriod: Duration.fromObject({ seconds: 2 * 3_600 }),
    });
    await appBecomesActive();
    await until('it is healthy', () => isHealthy(instance.url));
    const brief = 'The namespace \\"nope\\" keeps closed workflows for less than a day';
    await until('the log says so', () => instance.log().includes(brief));
    expect(instance.log().split(brief)).toHaveLength(2);
  });
});
