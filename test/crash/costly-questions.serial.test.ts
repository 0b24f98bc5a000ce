import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { bootstrapClient } from '../support/crash-client.ts';
import { newDataDir, startInstance } from '../support/instance.ts';
import { testFull } from '../support/left-out.ts';
import { startOwnServers } from '../support/own-servers.ts';
import { pause } from '../support/pause.ts';
import { randomFrom } from '../support/random.ts';
import { until } from '../support/until.ts';

const MINUTES = Number(process.env.TEST_COSTLY_MINUTES ?? 5);
const ORGANIZATIONS = 6;
const EVENTS = Number(process.env.TEST_COSTLY_EVENTS ?? 100_000);
const BATCH_EVENTS = 100;
const LOOPS = 4;
const MOST_MS = 2_000;
const STEPS = 12;
const BETWEEN_MS = 250;

const props = Array.from({ length: STEPS }, (_, n) => `p${n}`);

/** All of its conditions hold for three quarters of the events of a name. */
const step = (n: number) => ({
  events: [`e${n % 4}`, `e${(n + 1) % 4}`],
  where: {
    all: props.map((prop) => ({ field: `prop:${prop}`, op: 'isNot', value: String(n) })),
  },
});

const COSTLIEST = {
  kind: 'funnel',
  steps: Array.from({ length: STEPS }, (_, n) => step(n)),
  order: 'any',
  breakdown: 'prop:p0',
  days: 30,
};

const ENDLESS =
  'SELECT count(*) FROM range(100000) a, range(100000) b, range(1000) c WHERE a.range + b.range + c.range > $n';

const load = () => readFileSync('/proc/loadavg', 'utf8').split(' ').slice(0, 2).join(' ');

function figures(name: string, tookMs: number[]): void {
  const sorted = tookMs.toSorted((a, b) => a - b);
  const part = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  console.log(
    `  ${name}: ${sorted.length} answers, median ${part(0.5)}, p95 ${part(0.95)}, most ${part(1)} ms`,
  );
}

testFull('one person with six organizations keeps nobody else from an answer', async () => {
  const servers = await startOwnServers(newDataDir());
  const env = {
    ...servers.env,
    RATE_LIMIT_SCALE: '1000',
    QUERY_PROCESSES: '1',
    LOG_LEVEL: 'fatal',
  };
  const instance = await startInstance({ env });
  try {
    const tenant = async (name: string) => {
      const { call, once } = bootstrapClient(instance, name, env);
      const slug = `${name}-${crypto.randomUUID().slice(0, 8)}`;
      const app: any = await (await call('POST', '/v1/apps', { slug, displayName: name })).json();
      const made = await call('POST', `/v1/apps/${app.id}/keys`, { name });
      const { secret } = (await made.json()) as { secret: string };
      const send = async (events: unknown[]) => {
        const answer = await fetch(`${instance.url}/v1/events`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-service-key': secret },
          body: JSON.stringify({ events }),
        });
        expect(answer.status).toBe(202);
      };
      return { appId: app.id as string, once, send };
    };
    const victim = await tenant('victim');
    await victim.send([{ name: 'opened', anonymousId: 'somebody' }]);
    const attackers = [];
    for (let n = 0; n < ORGANIZATIONS; n += 1) attackers.push(await tenant('attacker'));
    const random = randomFrom(1);
    const startMs = Date.now();
    for (const { send } of attackers) {
      for (let first = 0; first < EVENTS; first += BATCH_EVENTS * 10) {
        const batches = Array.from({ length: 10 }, (_, batch) =>
          Array.from({ length: BATCH_EVENTS }, (_, n) => ({
            name: `e${Math.floor(random() * 4)}`,
            // A few persons with very many events each.
            anonymousId: `person-${Math.floor(random() * 5)}`,
            ts: new Date(startMs - 1_000 * (first + batch * BATCH_EVENTS + n)).toISOString(),
            props: Object.fromEntries(
              props.map((prop) => [prop, String(Math.floor(random() * 99))]),
            ),
          })),
        );
        await Promise.all(batches.map(send));
      }
    }
    const summary = () => victim.once('GET', `/v1/apps/${victim.appId}/events/summary`);
    await until('the first answer is there', async () => (await summary()).status === 200);
    const children = instance.children();
    const tookMs: Record<'SELECT 1' | 'summary', number[]> = { summary: [], 'SELECT 1': [] };
    const faults: string[] = [];
    const ask = async (name: keyof typeof tookMs, once: () => Promise<Response>) => {
      const startedAt = performance.now();
      const answer = await once();
      tookMs[name].push(Math.round(performance.now() - startedAt));
      if (answer.status !== 200) faults.push(`${name}: ${answer.status} ${await answer.text()}`);
    };
    const askBoth = async () => {
      await ask('summary', summary);
      await ask('SELECT 1', () => victim.once('POST', '/v1/sql', { sql: 'SELECT 1' }));
    };
    for (let turn = 0; turn < 10; turn += 1) await askBoth();
    console.log(`  before, load ${load()}`);
    for (const [name, all] of Object.entries(tookMs)) figures(name, all.splice(0));
    const endsAt = performance.now() + MINUTES * 60_000;
    const answered: Record<string, number> = {};
    const costly = attackers.flatMap(({ appId, once }, org) =>
      Array.from({ length: LOOPS }, async (_, loop) => {
        for (let turn = 0; performance.now() < endsAt; turn += 1) {
          const n = turn * LOOPS + loop;
          const answer = await (loop % 2 === 0
            ? once('POST', `/v1/apps/${appId}/questions/answer`, {
                ...COSTLIEST,
                days: 30 - (n % 20),
              })
            : once('POST', '/v1/sql', { sql: ENDLESS, parameters: { n: org * 1_000 + n } })
          ).catch(() => null);
          const key = `${loop % 2 === 0 ? 'funnel' : 'sql'} ${answer?.status}`;
          answered[key] = (answered[key] ?? 0) + 1;
          if (answer?.status === 400) throw new Error(await answer.text());
          if (answer?.status !== 200) await pause(100, 'as an impatient client waits');
        }
      }),
    );
    const loads: string[] = [];
    while (performance.now() < endsAt) {
      await askBoth();
      loads.push(load());
      await pause(BETWEEN_MS, 'as a person asks');
    }
    await Promise.all(costly);
    console.log(
      `  load ${loads[0]} … ${loads.at(-1)}; of the attacker ${JSON.stringify(answered)}`,
    );
    for (const [name, all] of Object.entries(tookMs)) figures(name, all);
    expect(faults).toEqual([]);
    expect(instance.children()).toEqual(children);
    expect(instance.log()).not.toContain('ignored its interrupt');
    const late = Object.values(tookMs)
      .flat()
      .filter((took) => took > MOST_MS);
    expect(late).toEqual([]);
  } finally {
    await instance.stop();
    await Promise.all([servers.postgres.kill(), servers.temporal.kill()]);
  }
});
