import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { HotEvents } from '../../src/event-store/read.ts';
import { serveSql } from '../../src/sql/sandbox/serve.ts';
import { makeOwned } from '../support/access/probes.ts';
import { ACCESS } from '../support/access/table.ts';
import { startServed } from '../support/clients/served.ts';
import { findCompatPython } from '../support/compat.ts';
import { sentExample } from '../support/example-body.ts';
import { type Operation, operationsOf } from '../support/openapi.ts';
import { startTestQueries } from '../support/queries.ts';

const served = await startServed();
const { service, org } = served;
await startTestQueries(service.deps);
const hot = new HotEvents(service.deps, service.deps.config.events.logDir);
const sqlServer = serveSql({ ...service.deps, hot }, 0);
afterAll(() => sqlServer.stop());

const own = { ...org, app: served.app };
const stage = { service, own, other: own, principals: [] };
const { appId } = own.app;
const document = (await service.call('/openapi.json')).body;
const reads = operationsOf(document).filter(
  ({ method, security = [], 'x-same-as': sameAs, 'x-asks': asks }) =>
    (method === 'GET' ? sameAs === undefined : asks !== undefined) &&
    security.some((scheme: object) => 'orgKey' in scheme),
);

/** Arguments that no example shows, and paths name as ids of what is outside. */
const GIVEN: Readonly<Record<string, unknown>> = {
  id: appId,
  customerId: 'person-0001',
  personId: 'person-0001',
  name: 'app_opened',
  search: 'person',
};

async function argumentsOf(operation: Operation): Promise<Record<string, unknown>> {
  const { parameters = [], 'x-asks': body, route } = operation;
  const given: Record<string, unknown> = {};
  for (const { name, required, schema } of parameters) {
    if (required) given[name] = GIVEN[name] ?? schema.examples?.[0] ?? schema.enum?.[0] ?? 'none';
  }
  for (const [param, check] of Object.entries(ACCESS[route]?.owns ?? {})) {
    given[param] = await makeOwned(check, stage);
  }
  if (body !== undefined) given[body] = sentExample(operation, { appId, onboardings: [] });
  return given;
}

const calls: Record<string, Record<string, unknown>> = {};
for (const operation of reads) calls[operation.operationId] = await argumentsOf(operation);

async function ask({ method, path, 'x-asks': body = '' }: Operation, given: any) {
  const { [body]: sent, ...left } = given;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(left[name]);
    delete left[name];
    return value;
  });
  const query = new URLSearchParams(left);
  return service.call(`${filled}?${query}`, {
    ...{ method, headers: org.key },
    ...(sent !== undefined && { body: sent }),
  });
}

/** Without moments and durations of the asking. */
const lasting = (answer: unknown): string =>
  JSON.stringify(answer)
    .replaceAll(/"20\d\d-\d\d-\d\dT[\d:.]+Z"/g, '"{moment}"')
    .replaceAll(/"(\w*(?:[sS]econds|Ms|Bytes))":[\d.]+/g, '"$1":0');

const python = await findCompatPython('compat-mcp-python');
const CLIENTS = {
  'TypeScript 2.x': { words: ['node', 'mcp-node.mjs'], protocol: '2026-07-28' },
  'TypeScript 1.x': { words: ['node', 'mcp-old-node.mjs'], protocol: '2025-11-25' },
  ...(python !== null && {
    'Python 2.x': { words: [python, 'mcp-python.py'], protocol: '2026-07-28' },
  }),
};

async function run([program = '', script = '']: string[]) {
  const words = [program, join(import.meta.dir, 'clients', script)];
  const child = Bun.spawn([...words, `${served.url}/v1/mcp`, org.apiKey, JSON.stringify(calls)], {
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const text = await new Response(child.stdout).text();
  expect(await child.exited).toBe(0);
  return JSON.parse(text);
}

describe.each(Object.entries(CLIENTS))('%s', (_, { words, protocol }) => {
  test('lists every tool, calls each, and is answered as the route answers', async () => {
    const found = await run(words);
    expect(found.protocol).toBe(protocol);
    const names = reads.map(({ operationId }) => operationId);
    expect(found.tools.toSorted()).toEqual(names.toSorted());
    const wrong: string[] = [];
    let answered = 0;
    for (const operation of reads) {
      const name = operation.operationId;
      const { isError, text } = found.answers[name];
      const { status, body } = await ask(operation, calls[name]);
      if (isError !== status >= 400) wrong.push(`${name}: ${status}, ${text.slice(0, 200)}`);
      if (isError) continue;
      answered += 1;
      const [, data = ''] = /\n<data-[0-9a-f]{12}>\n(.*)\n<\/data-[0-9a-f]{12}>$/s.exec(text) ?? [];
      const [given, expected] = [lasting(JSON.parse(data)), lasting(body)];
      if (given !== expected) wrong.push(`${name}: ${given}, by HTTP ${expected}`);
    }
    expect(wrong).toEqual([]);
    console.log(`  ${names.length} tools, ${answered} with figures, the others refused as by HTTP`);
    expect(answered).toBeGreaterThan(names.length * 0.8);
  });
});
