import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { type Compat, findBuilt, findCompatPython, startCompat } from '../support/compat.ts';
import { findJvmClients, jvmCommand } from '../support/jvm.ts';
import { startTlsFront } from '../support/tls-front.ts';

/** Two events each. */
const PEOPLE = 500;
const KILLS = 3;
const BEGIN = new Date(Date.now() - 86_400_000).toISOString();
const STEPS = ['app_opened', 'purchase_completed'].map((event) => ({ event, label: event }));
const DEVICE = {
  platform: 'ios',
  appVersion: '1.4.0',
  osVersion: '18.1',
  country: 'DE',
};
const SPOKEN = { ...DEVICE, locale: 'de-DE' };

/** Program, words that follow, and the context that is stored. */
type Client = { program: string; words?: string[]; context: object; ownSystem?: true };
/** Amplitude's languages are no locales. */
const CLIENTS: Record<string, Client> = {
  'segment-node': { program: 'segment-node.mjs', context: SPOKEN },
  'rudder-node': { program: 'rudder-node.mjs', context: SPOKEN },
  'posthog-node': { program: 'posthog-node.mjs', context: SPOKEN },
  'amplitude-node': { program: 'amplitude-node.mjs', context: DEVICE },
  'posthog-python-v0': { program: 'posthog-python.py', words: ['v0'], context: SPOKEN },
  'posthog-python-v1': { program: 'posthog-python.py', words: ['v1'], context: SPOKEN },
  'posthog-old-python': { program: 'posthog-old-python.py', context: SPOKEN, ownSystem: true },
  'segment-python': { program: 'segment-python.py', context: SPOKEN },
  'amplitude-python': { program: 'amplitude-python.py', context: DEVICE },
  'rudder-python': { program: 'rudder-python.py', context: SPOKEN },
  'segment-jvm': { program: 'segment-jvm.java', context: SPOKEN },
  'amplitude-jvm': { program: 'amplitude-jvm.java', context: DEVICE },
  'posthog-jvm': { program: 'posthog-jvm.java', context: SPOKEN },
  'segment-java-jvm': { program: 'segment-java-jvm.java', context: SPOKEN },
  'posthog-old-jvm': { program: 'posthog-old-jvm.java', context: SPOKEN },
  'posthog-go': { program: 'go/posthog', context: SPOKEN },
  'segment-go': { program: 'go/segment', context: SPOKEN },
  'posthog-rust': { program: 'rust/posthog', context: SPOKEN },
};

const [python, oldPython] = [
  await findCompatPython('compat-python'),
  await findCompatPython('compat-python-old'),
];
const jvm = await findJvmClients();
const built = { go: await findBuilt('go'), rust: await findBuilt('rust') };

const isJvm = ({ program }: Client) => program.endsWith('.java');

function builtOf({ program }: Client): string | null {
  const [language, name = ''] = program.split('/');
  const folder = language === 'go' || language === 'rust' ? built[language] : null;
  return folder === null ? null : join(folder, name);
}

/** What runs it, and null where that is missing. */
function startOf(client: Client): string[] | null {
  const { program } = client;
  if (program.includes('/')) {
    const path = builtOf(client);
    return path === null ? null : [path];
  }
  const script = join(import.meta.dir, 'clients', program);
  if (program.endsWith('.mjs')) return ['node', script];
  const interpreter = program.includes('-old-') ? oldPython : python;
  return interpreter === null ? null : [interpreter, script];
}

const isHere = (client: Client) => (isJvm(client) ? jvm !== null : startOf(client) !== null);

/** Two of the JVM's clients speak HTTPS only, one needs a 502. */
function commandOf(name: string, client: Client): string[] {
  if (isJvm(client)) return [...jvmCommand(name, jvm?.get(name) ?? '', front.trusted), front.url];
  return [...(startOf(client) ?? []), service.intake];
}

let service: Compat;
/** Of the JVM's clients. */
let front: Awaited<ReturnType<typeof startTlsFront>>;
beforeAll(async () => {
  service = await startCompat('compat');
  if (jvm !== null) front = await startTlsFront(service.intake);
});
afterAll(async () => {
  await service.stop();
  await front?.stop();
});

const json = (method: string, path: string, body?: unknown) => service.json(method, path, body);

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

async function sendAll(name: string, client: Client, secret: string): Promise<void> {
  const words = [
    ...commandOf(name, client),
    secret,
    String(PEOPLE),
    BEGIN,
    ...(client.words ?? []),
  ];
  const before = front?.unanswered();
  const done = await service.killWhile(words, { kills: KILLS, steps: PEOPLE });
  expect(done).toEqual({ exitCode: 0, kills: KILLS });
  if (isJvm(client)) expect(front.unanswered()).toBeGreaterThan(before);
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
    const answer = await fetch(`${service.url}/v1/events`, {
      method: 'POST',
      headers: { 'x-service-key': secret, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(202);
  }
}

/** `ts` is as it was sent, in the zone that the client writes; `occurredAt` is that instant. */
const plain = (events: any[]) =>
  events
    .map(({ id: _, receivedAt: __, ts: ___, ...event }) => event)
    .toSorted((one, other) => one.name.localeCompare(other.name));

test.each(Object.entries(CLIENTS).filter(([, client]) => isHere(client)))(
  '%s: 1,000 events, each counted once, as by the own route',
  async (name, client) => {
    const [theirs, ours] = [await newApp(name), await newApp(`${name}-own`)];
    await sendAll(name, client, theirs.secret);
    await sendOwn(ours.secret, client.context);
    const { names, platforms, versions, people, events } = await theirs.summary();
    expect({ people, events }).toEqual({ people: PEOPLE, events: 2 * PEOPLE });
    expect(await ours.summary()).toMatchObject({ names, platforms, versions, people, events });
    const { steps } = await theirs.report();
    expect(steps.map((step: any) => step.people)).toEqual([PEOPLE, PEOPLE]);
    expect(steps).toEqual((await ours.report()).steps);
    for (let person = 0; person < PEOPLE; person += 50) {
      const [found, wanted] = [await theirs.recent(person), await ours.recent(person)];
      // It says the version of the system that it runs on.
      if (client.ownSystem) for (const event of found) event.osVersion = '18.1';
      expect(plain(found)).toEqual(plain(wanted));
    }
  },
);
