import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { readRunning } from '../../src/launcher/running.ts';
import { must } from '../../src/shared/assert.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { bootstrapClient } from '../support/crash-client.ts';
import { untilCompacted } from '../support/event-crash.ts';
import { temporaryFolder } from '../support/events.ts';
import { everyFile, everyRow, everyRun, type Kept } from '../support/everywhere.ts';
import { importLines, sendByEveryDoor } from '../support/every-door.ts';
import { startInstance } from '../support/instance.ts';
import { pause } from '../support/pause.ts';
import { isFullRun, randomFrom } from '../support/random.ts';
import { ROOT } from '../support/sources.ts';
import { until } from '../support/until.ts';
import { drawPerson, type Stage, storePerson, type WholePerson } from '../support/whole-person.ts';

/** Each process is killed once in a full run. */
const VICTIMS = isFullRun
  ? ['api', 'compactor', 'query', 'worker', 'temporal', 'postgres']
  : ['compactor', 'worker'];
const ERASED = isFullRun ? 60 : 6;
const OTHERS = isFullRun ? 20 : 3;
const SEED = Number(process.env.TEST_SEED ?? 20_261_129);
const random = randomFrom(SEED);

const told: { at: number; id: string | null; body: string }[] = [];
const sink = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const id = request.headers.get('webhook-id');
    told.push({ at: Date.now(), id, body: await request.text() });
    // Some stay pending.
    return new Response(null, { status: told.length % 3 === 0 ? 500 : 200 });
  },
});
afterAll(() => sink.stop(true));

const intakePort = await freePort([]);
const instance = await startInstance({
  env: {
    INTAKE_PORT: String(intakePort),
    ...{ RATE_LIMIT_SCALE: '1000', LOG_LEVEL: 'info', EGRESS_ALLOW: `127.0.0.1:${sink.port}` },
    ...(isFullRun && { LAKE: 'on' }),
  },
});
afterAll(() => instance.stop());
const client = bootstrapClient(instance, 'gone');
const env = must(await readRunning(instance.dataDir), 'it runs').env;
const sql = createSql(env.DATABASE_URL ?? '', { maxConnections: 2, applicationName: 'gone-test' });
afterAll(() => sql.end());

const ask = async (method: string, path: string, body?: unknown): Promise<any> => {
  const answer = await client.call(method, path, body);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
};

/** Sent again until it is answered, as clients do. */
async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const type = { 'content-type': 'application/json', ...headers };
  const isIntake = /^\/v1\/(segment|posthog|amplitude|otlp)\//.test(path);
  const url = isIntake ? `http://localhost:${intakePort}` : instance.url;
  return until(`${path} is answered`, async () => {
    const sent = fetch(`${url}${path}`, {
      ...{ method: 'POST', headers: type, body: JSON.stringify(body) },
    }).catch(() => null);
    const answer = await sent;
    return answer !== null && answer.status < 500 && answer;
  });
}

const organization = await sql<{ id: string }[]>`SELECT id FROM auth.organization`;
const orgId = must(organization[0], 'it was made').id;

async function makeApp(slug: string): Promise<Stage> {
  const { id: appId } = await ask('POST', '/v1/apps', { slug, displayName: slug });
  const { secret } = await ask('POST', `/v1/apps/${appId}/keys`, { name: 'k' });
  const { id: onboardingId } = await ask('POST', `/v1/apps/${appId}/onboardings`, {
    ...{ name: 'one', config: {} },
  });
  const arm = { weight: 1, onboardingId };
  const arms = ['a', 'b'].map((name) => ({ name, ...arm }));
  const { id } = await ask('POST', `/v1/apps/${appId}/experiments`, { name: 'ab', arms });
  await ask('PATCH', `/v1/apps/${appId}/experiments/${id}`, { status: 'running' });
  const call: Stage['service']['call'] = async (path, { method, body, headers } = {}) => {
    const verb = method ?? (body === undefined ? 'GET' : 'POST');
    const answer =
      verb === 'GET' || body === undefined
        ? await fetch(`${instance.url}${path}`, { method: verb, ...(headers && { headers }) })
        : await post(path, body, headers);
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: undefined, text };
  };
  return {
    ...{ service: { call, deps: { sql } }, experimentId: id },
    org: { orgId, key: { 'x-api-key': client.apiKey } },
    app: { appId, serviceKey: secret, device: { 'x-service-key': secret } },
  };
}

const alone = (person: WholePerson): WholePerson =>
  person.userId ? person : { ...person, devices: person.devices.slice(0, 1) };
const draw = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => alone(drawPerson(random, first + n)));
const [erased, others, ofDeleted] = [draw(0, ERASED), draw(100, OTHERS), draw(200, 3)];
const idsOf = ({ userId, devices }: WholePerson) => [...(userId ? [userId] : []), ...devices];

async function bring(stage: Stage, people: readonly WholePerson[]): Promise<void> {
  for (const person of people) {
    await storePerson(stage, person, { random, n: Number(/\d+/.exec(person.marker)?.[0]) });
    const statuses = await sendByEveryDoor({ post, apiKey: client.apiKey }, stage.app, person);
    expect(statuses).toEqual([202, 200, 200, 200, 400, 200]);
  }
}

function importFile(appId: string, people: readonly WholePerson[]): Promise<number> {
  const file = join(temporaryFolder('gone-import'), 'lines.jsonl');
  return Bun.write(file, importLines(people)).then(() => {
    const words = ['import', 'events', file, '--app', appId];
    return Bun.spawn([process.execPath, join(ROOT, 'src/admin/main.ts'), ...words], {
      env: { PATH: process.env.PATH ?? '', DATA_DIR: instance.dataDir },
      ...{ stdout: 'ignore', stderr: 'inherit' },
    }).exited;
  });
}

const kill = (victim: string) => {
  const pid = instance.children()[victim];
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
};

async function erase(appId: string, person: WholePerson): Promise<void> {
  const ids = idsOf(person);
  const personId = ids[Math.floor(random() * ids.length)] ?? '';
  const path = `/v1/apps/${appId}/person?${new URLSearchParams({ personId })}`;
  expect((await client.call('DELETE', path)).status).toBe(204);
}

/** All that is kept anywhere, but for free space of database pages. */
async function everything(): Promise<{ files: Kept[]; rows: Kept[]; others: Kept[] }> {
  const files = await everyFile(instance.dataDir, { not: ['postgres', 'temporal', 'tmp'] });
  const rows = (await everyRow(sql)).map(({ table, text }) => ({ place: table, text }));
  const runs = await everyRun(join(instance.dataDir, 'temporal'));
  const said = { place: 'service log', text: instance.log() + instance.errors() };
  return { files, rows, others: [...runs, said] };
}

const findAll = (kept: readonly Kept[], words: readonly string[]): [string, string][] =>
  kept.flatMap(({ place, text }) => {
    const found = words.find((word) => text.includes(word));
    return found === undefined ? [] : [[place, found]];
  });

/** Store ids of purchases hold the marker too, so a purchase, its runs and texts do. */
function findAnything(
  { files, rows, others }: Awaited<ReturnType<typeof everything>>,
  people: readonly WholePerson[],
): [string, string][] {
  const markers = people.map(({ marker }) => marker);
  return [
    ...findAll([...files, ...rows, ...others], people.flatMap(idsOf)),
    ...findAll(files, markers),
  ];
}

async function untilClean(): Promise<void> {
  await untilCompacted(instance);
  await until('no file holds an erased person', async (saw) => {
    const rows = await sql<{ left: number }[]>`
      SELECT count(*)::int AS left FROM event_erasures WHERE subject IS NOT NULL`;
    saw(rows);
    return rows[0]?.left === 0;
  });
  await until('no file holds a deleted app', async () => {
    const left = await sql`
      SELECT FROM event_files
      WHERE state = 'live' AND deleted_seq > greatest(people_seq, erased_seq) LIMIT 1`;
    return left.length === 0;
  });
  await until('replaced files are removed', async () => {
    await sql`
      UPDATE event_files SET retired_at = now() - interval '1 day'
      WHERE state = 'retired' AND retired_at > now() - interval '1 hour'`;
    const rows = await sql`SELECT 1 FROM event_files WHERE state = 'retired' LIMIT 1`;
    return rows.length === 0;
  });
}

/** How far a delivery, and the sums of a purchase, have come. */
const PROGRESS = ['attemptDueAt', 'finishedAt', 'foldedRevision', 'runEnsuredAt', 'status'];
const withoutProgress = (value: unknown): string =>
  JSON.stringify(value, (key, one) => (PROGRESS.includes(key) ? undefined : one));

type Shown = { exports: string[]; deliveries: string[]; logs: string[] };

async function shownOfOthers({ app }: Stage): Promise<Shown> {
  const exports: string[] = [];
  for (const person of others) {
    for (const personId of idsOf(person)) {
      const query = new URLSearchParams({ personId, limit: '1000' });
      exports.push(withoutProgress(await ask('GET', `/v1/apps/${app.appId}/person?${query}`)));
    }
  }
  const isOfOthers = (text: string) => others.some(({ marker }) => text.includes(marker));
  const deliveries = await sql<{ text: string }[]>`
    SELECT concat(delivery_id, body) AS text FROM webhook_deliveries ORDER BY delivery_id`;
  const logs = await sql<{ text: string }[]>`
    SELECT concat(log_id, entry) AS text FROM logs ORDER BY log_id`;
  return {
    exports,
    deliveries: deliveries.map(({ text }) => text).filter(isOfOthers),
    logs: logs.map(({ text }) => text).filter(isOfOthers),
  };
}

test(`of ${ERASED} people erased through every door nothing is found (seed ${SEED})`, async () => {
  const stage = await makeApp('one');
  const { appId } = stage.app;
  const hook = { url: `http://127.0.0.1:${sink.port}/hook`, events: ['event.received'] };
  await ask('POST', '/v1/webhooks', { ...hook, eventNames: ['own_opened', 'imp_opened'] });
  await bring(stage, others);
  expect(await importFile(appId, others)).toBe(0);
  const third = Math.ceil(ERASED / 3);
  const [before, during, after] = [0, 1, 2].map((n) => erased.slice(n * third, (n + 1) * third));
  await bring(stage, after ?? []);
  await untilCompacted(instance);
  const shown = await shownOfOthers(stage);
  expect(shown.deliveries.length).toBeGreaterThan(0);

  await bring(stage, before ?? []);
  for (const person of before ?? []) await erase(appId, person);
  const importing = importFile(appId, [...(during ?? []), ...(after ?? [])]);
  await bring(stage, during ?? []);
  const queue = [...(during ?? []), ...(after ?? [])];
  const step = Math.ceil(queue.length / VICTIMS.length);
  for (const [n, victim] of VICTIMS.entries()) {
    const some = queue.slice(n * step, (n + 1) * step);
    kill(victim);
    await Promise.all(some.map((person) => erase(appId, person)));
  }
  await importing;
  // What their phones kept arrives late.
  for (const person of erased)
    await sendByEveryDoor({ post, apiKey: client.apiKey }, stage.app, person, 'late');
  await untilClean();
  for (const person of erased) {
    for (const personId of idsOf(person)) {
      const query = new URLSearchParams({ personId });
      const { status } = await client.call('GET', `/v1/apps/${appId}/person?${query}`);
      expect([personId, status]).toEqual([personId, 404]);
    }
  }
  expect(findAnything(await everything(), erased)).toEqual([]);
  expect(await shownOfOthers(stage)).toEqual(shown);
  const { people } = await ask('GET', `/v1/apps/${appId}/events/summary?days=28`);
  expect(people).toBe(OTHERS);
}, 1_800_000);

test('of a deleted app nothing is found, and nothing is sent after the answer', async () => {
  const stage = await makeApp('two');
  const { appId } = stage.app;
  await bring(stage, ofDeleted);
  await untilCompacted(instance);
  const deliveries = () => sql<{ id: string; dueAtMs: number; isTried: boolean }[]>`
    SELECT delivery_id AS id, extract(epoch FROM attempt_due_at)::float8 * 1000 AS "dueAtMs",
      EXISTS (SELECT FROM webhook_attempts a WHERE a.delivery_id = d.delivery_id) AS "isTried"
    FROM webhook_deliveries d WHERE strpos(body, ${appId}) > 0 AND status = 'pending'`;
  await until('all were told, and some have to be told again', async () => {
    const pending = await deliveries();
    return pending.length > 0 && pending.every(({ isTried }) => isTried);
  });
  const before = await deliveries();
  await ask('DELETE', `/v1/apps/${appId}?confirm=two`);
  const answeredAt = Date.now();
  /** Under way at the time of the answer. */
  const begun = new Set(before.flatMap(({ id, dueAtMs }) => (dueAtMs < answeredAt ? [id] : [])));
  kill('worker');
  await until('the app is removed', async () => {
    const rows = await sql`SELECT 1 FROM apps WHERE app_id = ${appId}`;
    return rows.length === 0;
  });
  const hooks = await ask('GET', '/v1/webhooks');
  for (const { id } of hooks) {
    const range = { from: new Date(Date.now() - 3_600_000).toISOString(), status: 'any' };
    await ask('POST', `/v1/webhooks/${id}/resend`, range);
  }
  await untilClean();
  await pause(2_000, 'for calls that would be late');
  const late = told.filter(
    ({ at, id, body }) => at > answeredAt && body.includes(appId) && !begun.has(id ?? ''),
  );
  expect(late.map(({ body }) => JSON.parse(body).type)).toEqual([]);
  const kept = await everything();
  expect(findAnything(kept, ofDeleted)).toEqual([]);
  const rows = kept.rows.filter(({ place }) => place !== 'audit_entries');
  expect(
    findAll(
      rows,
      ofDeleted.map(({ marker }) => marker),
    ),
  ).toEqual([]);
}, 600_000);
