import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../support/events.ts';
import { isHealthy, newDataDir, refusedStart, startInstance } from '../../support/instance.ts';
import { testFull } from '../../support/left-out.ts';
import { testDatabase } from '../../support/postgres.ts';
import { testTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';

const database = await testDatabase();
const temporal = await testTemporal();

const external = {
  DATABASE_URL: database.url,
  TEMPORAL_ADDRESS: temporal.address,
  TEMPORAL_NAMESPACE: temporal.namespace,
  AUTH_SECRET: 'a'.repeat(40),
  SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
  EVENTS_URL: String(pathToFileURL(temporaryFolder('roles'))),
};

describe("beside the operator's own PostgreSQL and Temporal", () => {
  test('processes of one host share a data folder, and nothing embedded is made', async () => {
    const dataDir = newDataDir();
    const worker = await startInstance({ dataDir, env: { ...external, ROLE: 'worker' } });
    const api = await startInstance({ dataDir, env: { ...external, ROLE: 'api,compactor,query' } });
    expect(Object.keys(worker.children())).toEqual(['worker']);
    expect(Object.keys(api.children()).toSorted()).toEqual(['api', 'compactor', 'query']);
    // Its session is weighed against the host's other work: one that gives way too starves.
    const autogroup = `/proc/${api.children().query}/autogroup`;
    if (existsSync(autogroup)) expect(readFileSync(autogroup, 'utf8')).toEndWith(' nice 0\n');
    for (const name of ['postgres', 'temporal', 'secrets', 'lock.sqlite']) {
      expect([name, existsSync(join(dataDir, name))]).toEqual([name, false]);
    }
    await until('isHealthy(api.url)', () => isHealthy(api.url));

    expect(await worker.stop()).toBe(0);
    expect(await isHealthy(api.url)).toBe(true);
    expect(await api.stop()).toBe(0);
  });

  testFull('a host with workflows and no query process stops after a minute', async () => {
    const env = { ...external, LOG_FORMAT: 'pretty', ROLE: 'worker' };
    const { code, errors } = await refusedStart({ env });
    expect(code).toBe(1);
    expect(errors).toContain('no query process answers in');
    expect(errors).toContain('Add query to ROLE');
  });

  test('several query processes are told apart', async () => {
    const env = { ...external, ROLE: 'query', QUERY_PROCESSES: '2' };
    const instance = await startInstance({ env });
    expect(Object.keys(instance.children()).toSorted()).toEqual(['query-0', 'query-1']);
    expect(await instance.stop()).toBe(0);
  });

  test('a host whose EVENTS_URL was forgotten does not start', async () => {
    const instance = await startInstance({ env: { ...external, ROLE: 'query' } });
    const { EVENTS_URL, ...forgotten } = external;
    const { code, errors } = await refusedStart({ env: { ...forgotten, ROLE: 'query' } });
    expect(code).toBe(1);
    expect(errors).toContain(`the files were last in ${EVENTS_URL}`);
    expect(errors).toContain('Set EVENTS_URL on this host');
    expect(await instance.stop()).toBe(0);
  });

  test('a wrong password ends the start with what the server said', async () => {
    const wrong = new URL(database.url);
    wrong.password = 'wrong';
    const { code, errors } = await refusedStart({
      env: { ...external, DATABASE_URL: wrong.toString() },
    });
    expect(code).toBe(1);
    expect(errors).toContain('password authentication failed');
    expect(errors).not.toContain('wrong@');
  });
});
