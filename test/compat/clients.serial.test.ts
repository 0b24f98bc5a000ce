import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { bootstrapClient, type CrashClient } from '../support/crash-client.ts';
import { type Instance, isHealthy, startInstance } from '../support/instance.ts';
import { findJvmClients, jvmCommand } from '../support/jvm.ts';
import { findPython } from '../support/lake/tools.ts';
import { startTlsFront } from '../support/tls-front.ts';
import { until } from '../support/until.ts';

/** Two events each. */
const PEOPLE = 500;
const KILLS = 3;
const BEGIN = new Date(Date.now() - 86_400_000).toISOString();
const STEPS = ['app_opened', 'purchase_completed'].map((event) => ({ event, label: event }));
const CONTEXT = {
  platform: 'ios',
  appVersion: '1.4.0',
  osVersion: '18.1',
  country: 'DE',
};
/** Amplitude's languages are no locales. */
const CLIENTS = [
  ['segment-node', { ...CONTEXT, locale: 'de-DE' }],
  ['rudder-node', { ...CONTEXT, locale: 'de-DE' }],
  ['posthog-node', { ...CONTEXT, locale: 'de-DE' }],
  ['amplitude-node', CONTEXT],
  ['posthog-python', { ...CONTEXT, locale: 'de-DE' }],
  ['segment-python', { ...CONTEXT, locale: 'de-DE' }],
  ['segment-jvm', { ...CONTEXT, locale: 'de-DE' }],
  ['amplitude-jvm', CONTEXT],
  ['posthog-jvm', { ...CONTEXT, locale: 'de-DE' }],
] as const;

const python = await findPython(
  'compat-python',
  ['posthog==7.91.1', 'segment-analytics-python==2.4.0'],
  'posthog, segment.analytics',
);
if (python === null) console.log('not run: clients in Python (needs python3 with venv, and PyPI).');

const jvm = await findJvmClients();

const isPython = (name: string) => name.endsWith('-python');
const isJvm = (name: string) => name.endsWith('-jvm');
const isHere = (name: string) => (isPython(name) ? python !== null : !isJvm(name) || jvm !== null);

/** Program, and where it sends: two of the JVM's clients speak HTTPS only, one needs a 502. */
const programOf = (name: string): string[] => {
  if (isJvm(name)) return [...jvmCommand(name, jvm?.get(name) ?? '', front.trusted), front.url];
  const script = join(import.meta.dir, 'clients', name);
  const words = isPython(name) ? [python ?? '', `${script}.py`] : ['node', `${script}.mjs`];
  return [...words, intake];
};

let instance: Instance;
let client: CrashClient;
let intake: string;
/** Of the JVM's clients. */
let front: Awaited<ReturnType<typeof startTlsFront>>;
beforeAll(async () => {
  const port = await freePort();
  intake = `http://127.0.0.1:${port}`;
  instance = await startInstance({ env: { INTAKE_PORT: String(port), RATE_LIMIT_SCALE: '1000' } });
  client = bootstrapClient(instance, 'compat');
  if (jvm !== null) front = await startTlsFront(intake);
});
afterAll(async () => {
  instance.kill('SIGKILL');
  await front?.stop();
});

async function json(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await client.call(method, path, body);
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function newApp(slug: string) {
  const { id } = await json('POST', '/v1/apps', { slug, displayName: slug });
  const base = `/v1/apps/${id}`;
  const { secret } = await json('POST', `${base}/keys`, { name: 'compat' });
  const funnel = await json('POST', `${base}/funnels`, { name: 'Compat', steps: STEPS });
  return {
    secret,
    report: () => json('GET', `${base}/funnels/${funnel.id}/report`),
    summary: () => json('GET', `${base}/events/summary`),
    recent: (person: number) => json('GET', `${base}/events/recent?personId=user-${person}`),
  };
}

async function killApi(): Promise<void> {
  const { api } = instance.children();
  process.kill(api ?? 0, 'SIGKILL');
  await until('another API', () => ![undefined, api].includes(instance.children().api));
  await until('the API is healthy', () => isHealthy(instance.url));
}

/** Kills the service as the client goes on. */
async function sendAll(name: string, secret: string): Promise<void> {
  const words = [...programOf(name), secret, String(PEOPLE), BEGIN];
  const sender = Bun.spawn(words, { stdout: 'pipe', stderr: 'inherit' });
  const before = front?.unanswered();
  let kills = 0;
  let last = Promise.resolve();
  for await (const chunk of sender.stdout) {
    const sent = Number(new TextDecoder().decode(chunk).trim().split('\n').at(-1));
    if (kills < KILLS && sent > (kills * PEOPLE) / KILLS) {
      kills += 1;
      last = last.then(killApi);
    }
  }
  expect(await sender.exited).toBe(0);
  await last;
  expect(kills).toBe(KILLS);
  if (isJvm(name)) expect(front.unanswered()).toBeGreaterThan(before);
}

async function sendOwn(secret: string, context: object): Promise<void> {
  const events = Array.from({ length: PEOPLE }, (_, person) => {
    const who = {
      anonymousId: `device-${String(person).padStart(4, '0')}`,
      userId: `user-${person}`,
    };
    const at = (ms: number) => new Date(Date.parse(BEGIN) + person * 1_000 + ms).toISOString();
    const bought = { plan: 'year', items: '["a"]' };
    return [
      { name: 'app_opened', ts: at(0), ...who, props: { from: 'push', person } },
      { name: 'purchase_completed', ts: at(60_000), ...who, props: bought },
    ];
  }).flat();
  for (let from = 0; from < events.length; from += 100) {
    const body = { events: events.slice(from, from + 100), context };
    const answer = await fetch(`${instance.url}/v1/events`, {
      method: 'POST',
      headers: { 'x-service-key': secret, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(202);
  }
}

/** `ts` is as it was sent, in the zone that the client writes. */
const plain = (events: any[]) =>
  events
    .map(({ id: _, receivedAt: __, ts: ___, ...event }) => event)
    .toSorted((one, other) => one.name.localeCompare(other.name));

test.each(CLIENTS.filter(([name]) => isHere(name)))(
  '%s: 1,000 events, each counted once, as by the own route',
  async (name, context) => {
    const [theirs, ours] = [await newApp(name), await newApp(`${name}-own`)];
    await sendAll(name, theirs.secret);
    await sendOwn(ours.secret, context);
    const { names, platforms, versions, people, events } = await theirs.summary();
    expect({ people, events }).toEqual({ people: PEOPLE, events: 2 * PEOPLE });
    expect(await ours.summary()).toMatchObject({ names, platforms, versions, people, events });
    const { steps } = await theirs.report();
    expect(steps.map((step: any) => step.people)).toEqual([PEOPLE, PEOPLE]);
    expect(steps).toEqual((await ours.report()).steps);
    for (let person = 0; person < PEOPLE; person += 50) {
      expect(plain(await theirs.recent(person))).toEqual(plain(await ours.recent(person)));
    }
  },
);
