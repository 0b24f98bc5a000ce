import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { readRunning } from '../../src/launcher/running.ts';
import { must, onlyRow } from '../../src/shared/assert.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { bootstrapClient } from '../support/crash-client.ts';
import { untilCompacted } from '../support/event-crash.ts';
import { temporaryFolder } from '../support/events.ts';
import { importLines, sendByEveryDoor } from '../support/every-door.ts';
import { startInstance } from '../support/instance.ts';
import { pause } from '../support/pause.ts';
import { cookieOf } from '../support/people.ts';
import { isFullRun, randomFrom } from '../support/random.ts';
import {
  everything,
  findAll,
  findAnything,
  idsOf,
  untilClean,
} from '../support/search-everywhere.ts';
import { ROOT } from '../support/sources.ts';
import { until } from '../support/until.ts';
import { drawPerson, type Stage, storePerson, type WholePerson } from '../support/whole-person.ts';

/** Each process is killed once in a full run. */
const VICTIMS = isFullRun
  ? ['api', 'compactor', 'query', 'worker', 'temporal', 'postgres']
  : ['compactor'];
const ERASED = isFullRun ? 60 : 3;
const OTHERS = isFullRun ? 20 : 1;
const SEED = Number(process.env.TEST_SEED ?? 20_261_129);
const random = randomFrom(SEED);
const TITLE = `of ${ERASED} people erased through every door, and of a deleted app, organization and account, nothing is found, and nothing is sent (seed ${SEED})`;

const told: { at: number; body: string }[] = [];
const sink = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    told.push({ at: Date.now(), body: await request.text() });
    // Some stay pending.
    const isBusy = request.url.endsWith('/busy') || told.length % 3 === 0;
    return new Response(null, { status: isBusy ? 500 : 200 });
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

const ask = async (method: string, path: string, body?: unknown, by = client): Promise<any> => {
  const answer = await by.call(method, path, body);
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
    const sent = { method: 'POST', headers: type, body: JSON.stringify(body) };
    const answer = await fetch(`${url}${path}`, sent).catch(() => null);
    return answer !== null && answer.status < 500 && answer;
  });
}

async function makeApp(slug: string, by = client): Promise<Stage> {
  const make = (method: string, path: string, body: unknown) => ask(method, path, body, by);
  const { id: appId, orgId } = await make('POST', '/v1/apps', { slug, displayName: slug });
  const base = `/v1/apps/${appId}`;
  const { secret } = await make('POST', `${base}/keys`, { name: 'k' });
  const { id: onboardingId } = await make('POST', `${base}/onboardings`, {
    name: 'one',
    config: {},
  });
  const arms = ['a', 'b'].map((name) => ({ name, weight: 1, onboardingId }));
  const { id: experimentId } = await make('POST', `${base}/experiments`, { name: 'ab', arms });
  await make('PATCH', `${base}/experiments/${experimentId}`, { status: 'running' });
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
    ...{ service: { call, deps: { sql } }, experimentId },
    org: { orgId, key: { 'x-api-key': by.apiKey } },
    app: { appId, serviceKey: secret, device: { 'x-service-key': secret } },
  };
}

const alone = (person: WholePerson): WholePerson =>
  person.userId ? person : { ...person, devices: person.devices.slice(0, 1) };
const draw = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => alone(drawPerson(random, first + n)));
const [erased, others] = [draw(0, ERASED), draw(100, OTHERS)];
const [ofDeleted, ofEnded] = [200, 300].map((first) => draw(first, isFullRun ? 5 : 1)) as [
  WholePerson[],
  WholePerson[],
];

async function bring(stage: Stage, people: readonly WholePerson[]): Promise<void> {
  for (const person of people) {
    const n = Number(/\d+/.exec(person.marker)?.[0]);
    await storePerson(stage, person, { random: isFullRun ? random : () => 0.5, n });
    const apiKey = stage.org.key['x-api-key'];
    const statuses = await sendByEveryDoor({ post, apiKey }, stage.app, person);
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

const hook = { url: `http://127.0.0.1:${sink.port}/hook`, events: ['event.received'] };

async function erase(appId: string, person: WholePerson): Promise<void> {
  const ids = idsOf(person);
  const personId = ids[Math.floor(random() * ids.length)] ?? '';
  const path = `/v1/apps/${appId}/person?${new URLSearchParams({ personId })}`;
  expect((await client.call('DELETE', path)).status).toBe(204);
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
      const shown = await ask('GET', `/v1/apps/${app.appId}/person?${query}`);
      // The next refused batch of anybody takes the place of an example.
      const isOwn = ({ data }: any) => data.reason !== 'invalid_batch';
      exports.push(withoutProgress({ ...shown, records: shown.records.filter(isOwn) }));
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

/** In the names of an organization, its app and the only account, and in its address and survey. */
const ENDED = 'mk400qended';

async function signIn({ email, password }: { email: string; password: string }) {
  const answer = await post('/v1/auth/sign-in/email', { email, password });
  expect(answer.status).toBe(200);
  const headers = {
    ...cookieOf(answer.headers),
    ...{ origin: instance.url, 'content-type': 'application/json' },
  };
  return async (method: string, path: string, body?: unknown): Promise<void> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const { status } = await fetch(`${instance.url}${path}`, { method, headers, ...sent });
    expect([path, status]).toEqual([path, 200]);
  };
}

/** An app, and an organization with its owner's account: nothing is sent of them afterwards. */
async function deleteWhole(): Promise<() => void> {
  const stage = await makeApp('two');
  const { appId } = stage.app;
  const owner = bootstrapClient(instance, ENDED);
  const ended = await makeApp(`${ENDED}-app`, owner);
  const busy = { ...hook, url: hook.url.replace('hook', 'busy'), eventNames: ['own_opened'] };
  for (const by of [client, owner]) await ask('POST', '/v1/webhooks', busy, by);
  const act = await signIn(owner);
  const survey = { source: 'other', sourceDetail: `told by ${ENDED}`, building: ENDED };
  await act('POST', '/v1/onboarding', survey);
  await bring(stage, ofDeleted);
  await bring(ended, ofEnded);
  await untilCompacted(instance);
  const ofEither = (text: string) => text.includes(appId) || text.includes(ended.app.appId);
  await until('all were told, and some have to be told again', async () => {
    const pending = await sql<{ isTried: boolean }[]>`
      SELECT EXISTS (SELECT FROM webhook_attempts a WHERE a.delivery_id = d.delivery_id) AS "isTried"
      FROM webhook_deliveries d WHERE status = 'pending'
        AND (strpos(body, ${appId}) > 0 OR strpos(body, ${ended.app.appId}) > 0)`;
    return pending.length > 0 && pending.every(({ isTried }) => isTried);
  });
  const named = await sql<{ slug: string }[]>`
    SELECT slug FROM auth.organization WHERE name = ${ENDED}`;
  await ask('DELETE', `/v1/apps/${appId}?confirm=two`);
  await act('DELETE', `/v1/organization?confirm=${onlyRow(named).slug}`);
  const answeredAt = Date.now();
  await act('POST', '/v1/auth/erase-account', {
    ...{ email: owner.email, currentPassword: owner.password },
  });
  if (isFullRun) await instance.killChild('worker');
  await until('both are removed', async () => {
    const left = await sql`
      SELECT app_id FROM apps WHERE app_id = ${appId}
      UNION ALL SELECT org_id FROM organization_deletions WHERE finished_at IS NULL`;
    return left.length === 0;
  });
  for (const { id } of await ask('GET', '/v1/webhooks')) {
    const range = { from: new Date(Date.now() - 3_600_000).toISOString(), status: 'any' };
    await ask('POST', `/v1/webhooks/${id}/resend`, range);
  }
  return () => {
    const late = told.filter(({ at, body }) => at > answeredAt && ofEither(body));
    expect(late.map(({ body }) => JSON.parse(body).type)).toEqual([]);
  };
}

/** 27 hours on, twice: what the first publication replaces is readable for as long. */
async function afterOlderSnapshots(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await sql`UPDATE event_leases SET expires_at = now()`;
    await sql`UPDATE lake_snapshots SET timestamp_ms = timestamp_ms - ${27 * 3_600_000}`;
    // Publishes and sweeps as it starts.
    await instance.killChild('worker');
    await until('older snapshots expire', async () => {
      const left = await sql`
        SELECT FROM lake_snapshots s JOIN lake_snapshots later USING (table_name)
        WHERE later.sequence_number > s.sequence_number
          AND later.timestamp_ms < ${Date.now() - 25 * 3_600_000} LIMIT 1`;
      return left.length === 0;
    });
  }
}

const untilNothingIsFound = (people: readonly WholePerson[], words: readonly string[]) =>
  until(
    'nothing is found',
    async (saw) => {
      const kept = await everything(instance, sql);
      const all = [...kept.files, ...kept.rows, ...kept.others];
      const found = [...findAnything(kept, people), ...findAll(all, words)];
      saw(found);
      if (found.length > 0) await pause(1_000, 'before everything is read again');
      return found.length === 0 && kept;
    },
    300,
  );

test(TITLE, async () => {
  const expectNoLateCall = await deleteWhole();
  const stage = await makeApp('one');
  const { appId } = stage.app;
  await ask('POST', '/v1/webhooks', { ...hook, eventNames: ['own_opened', 'imp_opened'] });
  await bring(stage, others);
  if (isFullRun) expect(await importFile(appId, others)).toBe(0);
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
    await instance.killChild(victim);
    await Promise.all(some.map((person) => erase(appId, person)));
  }
  await importing;
  // What their phones kept arrives late.
  for (const person of erased)
    await sendByEveryDoor({ post, apiKey: client.apiKey }, stage.app, person, 'late');
  await untilClean(instance, sql);
  if (isFullRun) await afterOlderSnapshots();
  for (const person of erased) {
    for (const personId of idsOf(person)) {
      const query = new URLSearchParams({ personId });
      const { status } = await client.call('GET', `/v1/apps/${appId}/person?${query}`);
      expect([personId, status]).toEqual([personId, 404]);
    }
  }
  const deleted = [...ofDeleted, ...ofEnded];
  const kept = await untilNothingIsFound([...erased, ...deleted], [ENDED]);
  const rows = kept.rows.filter(({ place }) => place !== 'audit_entries');
  const markers = deleted.map(({ marker }) => marker);
  expect(findAll(rows, markers)).toEqual([]);
  expectNoLateCall();
  expect(await shownOfOthers(stage)).toEqual(shown);
  const { people } = await ask('GET', `/v1/apps/${appId}/events/summary?days=28`);
  expect(people).toBe(OTHERS);
}, 1_800_000);
