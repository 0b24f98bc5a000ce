import { expect, test } from 'bun:test';
import { createApi } from '../../../clients/api/src/index.ts';
import type { Client, ClientError, Options } from '../../../clients/web/src/types.ts';
import { parseImport } from '../../../src/modules/purchases/import/parse-csv.ts';
import { startServed } from '../../support/clients/served.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';
import { ROOT } from '../../support/sources.ts';
import { troubleIds } from '../../support/trouble-ids.ts';

// By a path that the compiler does not follow: the module is of a page.
const { createClient }: { createClient: (options: Options) => Client } = await import(
  `${ROOT}/clients/web/src/index.ts`
);

const COUNT = isFullRun ? 500 : 15;
const SEED = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 1e9));
const ids = troubleIds(COUNT, randomFrom(SEED));

const { service, url, org, app } = await startServed({ env: { DISK_FLOOR_MB: '1' } });
const { sql } = service.deps;
await startTestQueries(service.deps);
const api = createApi({ url, apiKey: org.apiKey });
const { appId } = app;

/** Through a shell, as a script would: the id is in a variable. */
async function curl(script: string, id: string): Promise<{ status: number; body: any }> {
  const command = `curl -sS -w '\\n%{http_code}' -H "x-api-key: $KEY" ${script}`;
  const env = {
    PATH: process.env.PATH ?? '',
    KEY: org.apiKey,
    BASE: `${url}/v1/apps/${appId}`,
    ID: id,
  };
  const shell = Bun.spawn(['sh', '-c', command], { env, stdout: 'pipe', stderr: 'pipe' });
  const text = await new Response(shell.stdout).text();
  const end = text.lastIndexOf('\n');
  const body = text.slice(0, end);
  return { status: Number(text.slice(end + 1)), body: body === '' ? null : JSON.parse(body) };
}

const BY_QUERY = '-G --data-urlencode "personId=$ID" "$BASE/person"';

/** The web client's own events, or a request where it takes no such id. */
async function send(id: string, n: number): Promise<'web' | 'request'> {
  let refused = false;
  // Here is no storage; whatever else it reports is about the id.
  const onError = ({ code }: ClientError) => {
    refused ||= code !== 'storage_unavailable';
  };
  const client = createClient({ key: app.serviceKey, url, flushIntervalMs: 60_000, onError });
  client.reset();
  client.identify(id);
  client.track('app_opened', { n });
  if (!refused) await client.flush();
  client.stop();
  if (!refused) return 'web';
  const events = [
    { name: 'app_opened', anonymousId: `device-${n}-${SEED}`, userId: id, props: { n } },
  ];
  await service.call('/v1/events', { body: { events }, headers: app.device });
  return 'request';
}

async function grant(id: string, n: number): Promise<void> {
  const body = { userId: id, productId: 'pro', note: String(n) };
  const made =
    n % 2 === 0
      ? await api.grantEntitlement({ id: appId, body })
      : (await service.call(`/v1/apps/${appId}/purchases/grants`, { body, headers: org.key })).body;
  expect(made.userId).toBe(id);
  const { grants } = await api.listPurchaseGrants({ id: appId, query: { userId: id } });
  expect(grants.map(({ userId, note }) => [userId, note])).toEqual([[id, String(n)]]);
  const query = { query: { userId: id, productId: 'pro' }, id: appId };
  expect((await api.getPersonEntitlement(query)).entitled).toBe(true);
  expect((await api.getPurchaseCustomer({ id: appId, customerId: id })).customerId).toBe(id);
}

/** One person's export says one person's event, whoever asks. */
async function read(id: string, n: number): Promise<void> {
  const typed = await api.exportPerson({ id: appId, personId: id });
  const byCurl = await curl(BY_QUERY, id);
  expect(byCurl.status).toBe(200);
  for (const { personId, events } of [typed, byCurl.body]) {
    expect(personId).toBe(id);
    expect(events.map((one: any) => [one.userId, one.props.n])).toEqual([[id, n]]);
  }
  // A blank search would be one of a longer id.
  const { people, hasMore } = await api.searchPeople({ id: appId, query: { search: id } });
  if (!hasMore) expect(people.map(({ personId }) => personId)).toContain(id);
}

/** In turn by each way of ours. The one with the id in its path is not taken for `.` and `..`. */
async function erase(id: string, n: number): Promise<void> {
  if (n % 3 === 0) {
    expect((await curl(`-X DELETE ${BY_QUERY}`, id)).status).toBe(204);
  } else if (n % 3 === 1 || id === '.' || id === '..') {
    await api.erasePerson({ id: appId, personId: id });
  } else {
    const path = `/v1/apps/${appId}/people/${encodeURIComponent(id)}`;
    expect((await service.call(path, { method: 'DELETE', headers: org.key })).status).toBe(204);
  }
}

const granted = async () =>
  (await sql<{ id: string }[]>`SELECT user_id AS id FROM purchase_grants WHERE app_id = ${appId}`)
    .map(({ id }) => id)
    .toSorted();

async function peopleLeft(): Promise<number> {
  return (await api.getEventSummary({ id: appId, query: { days: 1 } })).people;
}

test(`the person erased is the person named: ${COUNT} ids (seed ${SEED})`, async () => {
  expect(new Set(ids).size).toBe(COUNT);
  const by = { web: 0, request: 0 };
  for (const [n, id] of ids.entries()) by[await send(id, n)] += 1;
  expect(by.web).toBeGreaterThan(COUNT / 2);
  await compactEverything(service.deps);
  for (const [n, id] of ids.entries()) await grant(id, n);
  for (const [n, id] of ids.entries()) await read(id, n);
  expect(await peopleLeft()).toBe(COUNT);

  const left = new Set(ids);
  for (const [n, id] of ids.entries()) {
    await erase(id, n);
    left.delete(id);
    expect([id, await granted()]).toEqual([id, [...left].toSorted()]);
    expect([id, await peopleLeft()]).toEqual([id, left.size]);
    expect([id, (await curl(BY_QUERY, id)).status]).toEqual([id, 404]);
    const next = ids[n + 1];
    if (next !== undefined) await read(next, n + 1);
  }

  for (const [n, id] of ids.entries()) await send(id, n);
  await compactEverything(service.deps);
  expect(await peopleLeft()).toBe(0);
  expect(await api.getApp({ id: appId })).toMatchObject({ id: appId, status: 'active' });
});

test('an id comes back from the CSV of an import as it went in', () => {
  for (const id of ids.filter((one) => !/[\r\n]/.test(one))) {
    const csv = `userId,originalTransactionId\n"${id.replaceAll('"', '""')}",1`;
    expect(parseImport(csv)).toMatchObject([{ userId: id, isValid: true }]);
  }
});
