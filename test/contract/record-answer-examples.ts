import { afterAll, test } from 'bun:test';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import recorded from '../../src/http/answer-examples.json' with { type: 'json' };
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { makeTenant } from '../support/flood.ts';
import { isLast, requestOf } from '../support/flood-requests.ts';
import { startFloodService } from '../support/flood-service.ts';
import { type Asked, ask, FloodWorld, type Tenant } from '../support/flood-world.ts';
import type { Operation } from '../support/openapi.ts';
import { ROOT } from '../support/sources.ts';

/**
 * Writes down how a service answers each operation, for the OpenAPI document: reads of the demo's
 * data where they can be had, else of an organization that has one of everything. Examples by the
 * title of an answer, written by hand, stay.
 */
const FILE = join(ROOT, 'src/http/answer-examples.json');
const SHOWN_ITEMS = 2;

const listener = `127.0.0.1:${await freePort()}`;
const { instance, service, stop } = await startFloodService({ egressAllow: listener });
afterAll(stop);

/** The key and the app that the demo prints. */
async function makeDemo(): Promise<{ apiKey: string; appId: string }> {
  const child = Bun.spawn([process.execPath, join(ROOT, 'scripts/demo.ts'), '--listen', listener], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: instance.dataDir },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const printed = await new Response(child.stdout).text();
  const [, appId = '', apiKey = ''] = /APP=(\S+); KEY=(\S+)/.exec(printed) ?? [];
  if (apiKey === '') throw new Error(printed);
  return { apiKey, appId };
}

/** The first of everything that the demo has, by the parameter of a path that names it. */
async function demoTenant(world: FloodWorld, tenant: Tenant): Promise<Tenant> {
  const { apiKey, appId } = await makeDemo();
  const get = async (path: string) => {
    const answer = await fetch(`${service.url}${path}`, { headers: { 'x-api-key': apiKey } });
    return answer.ok ? ((await answer.json()) as any) : [];
  };
  const ids = new Map<string, string[]>();
  const [experiment] = await get(`/v1/apps/${appId}/experiments`);
  const running = [{ id: experiment.id, armId: experiment.arms[0].id }];
  const own = { ...tenant, apiKey, appId, ids, running };
  for (const { path } of world.operations) {
    const made = /^(.+)\/\{(\w+)\}$/.exec(path);
    if (!made?.[1] || !made[2]) continue;
    if (made[2] === 'id' || /\{(?!id\})/.test(made[1])) continue;
    const list = await get(made[1].replace('{id}', appId));
    const items: any[] = Array.isArray(list)
      ? list
      : (Object.values(list).find(Array.isArray) ?? []);
    const id = items[0]?.id ?? items[0]?.[made[2]];
    if (typeof id === 'string') ids.set(made[2], [id]);
  }
  return own;
}

async function firstCustomer({ apiKey, appId }: Tenant): Promise<string> {
  const path = `/v1/apps/${appId}/purchases/customers`;
  const answer = await fetch(`${service.url}${path}`, { headers: { 'x-api-key': apiKey } });
  return ((await answer.json()) as any).customers[0].customerId;
}

const ajv = new Ajv2020({ strict: false });
addFormats(ajv);

/** The first items of each list, as far as the answer still fits. */
function shortened(value: any): any {
  if (Array.isArray(value)) return value.slice(0, SHOWN_ITEMS).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)]));
}

const replaced = (body: unknown, tenant: Tenant): unknown =>
  JSON.parse(
    JSON.stringify(body)
      .replaceAll(/flood-[0-9a-f-]{12}/g, 'example-apps')
      .replaceAll(/(org|spare)-[0-9a-f-]{12}/g, 'focus-timer')
      .replaceAll(/[0-9a-f-]{36}@example\.com/g, 'ada@example.com')
      .replaceAll(
        /"secret":"([a-z]+_)[\w+/-]{12,}={0,2}"/g,
        '"secret":"$1ExampleExampleExampleExample"',
      )
      .replaceAll('Flooded', 'Example Apps')
      .replaceAll(tenant.owner.email, 'ada@example.com')
      .replaceAll(/https?:\/\/(127\.0\.0\.1|localhost|\[::1\]):\d+/g, 'https://app.example.com')
      .replaceAll(/127\.0\.0\.1:\d+/g, 'hooks.example.com'),
  );

test('how the service answers is written down', async () => {
  const world = await FloodWorld.of(service, 1);
  const { components } = (await (await fetch(`${service.url}/openapi.json`)).json()) as any;
  const tenant = await makeTenant(world, 2);
  const demo = await demoTenant(world, tenant);
  const customer = await firstCustomer(demo);
  const written = Object.entries(recorded).filter(([name]) => components.schemas[name]);
  const examples: Record<string, unknown> = Object.fromEntries(written);
  const missing: string[] = [];
  /** Of the demo by its key, whose session nobody has, and about its first customer. */
  const asked = (one: Operation, of: Tenant): Asked => {
    const request = requestOf(world, of, one);
    if (of !== demo) return request;
    const { headers, path, body } = request;
    const isOfSession = headers.cookie !== undefined;
    return {
      ...request,
      path: path.replaceAll('user-4711', customer),
      body: JSON.parse(JSON.stringify(body ?? null).replaceAll('user-4711', customer)) ?? undefined,
      headers: isOfSession ? { 'x-api-key': of.apiKey } : headers,
    };
  };
  const record = async (one: Operation, of: Tenant): Promise<boolean> => {
    const statuses = Object.keys(one.responses).filter((status) => status.startsWith('2'));
    const schema = one.responses[statuses[0] ?? '']?.content?.['application/json']?.schema;
    if (!schema) return true;
    const fits = ajv.compile({ ...schema, components });
    const told = await ask(service.url, asked(one, of));
    const body = told.status < 300 ? replaced(told.body, of) : undefined;
    const shown = [shortened(body), body].find((each) => each !== undefined && fits(each));
    if (shown !== undefined) examples[one.operationId] = shown;
    return shown !== undefined;
  };
  const inOrder = world.operations.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));
  for (const one of inOrder) {
    const isRead =
      one.method === 'GET' || /^(list|get|search|read|refreshPurchase)/.test(one.operationId);
    if (isRead && (await record(one, demo))) continue;
    if (!(await record(one, tenant))) missing.push(one.operationId);
  }
  // The store refreshes no simulated purchase; the answer is the customer all the same.
  for (const same of ['refreshPurchaseCustomer', 'refreshPurchaseCustomerById']) {
    examples[same] ??= examples.getPurchaseCustomer;
  }
  console.log(`without an answer here: ${missing.join(', ') || 'none'}`);
  const sorted = Object.entries(examples).toSorted(([a], [b]) => (a < b ? -1 : 1));
  await Bun.write(FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
});
