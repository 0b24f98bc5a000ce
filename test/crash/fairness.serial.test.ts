import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import type { EventSummary } from '../../src/modules/events/read.model.ts';
import { DUE_AT_ONCE } from '../../src/modules/webhooks/slots.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { bootstrapClient } from '../support/crash-client.ts';
import { untilCompacted } from '../support/event-crash.ts';
import { newDataDir, startInstance } from '../support/instance.ts';
import { startOwnServers } from '../support/own-servers.ts';
import { isFullRun } from '../support/random.ts';
import { until } from '../support/until.ts';

const EVENTS = isFullRun ? 1_000_000 : 5_000;
const DELIVERIES = isFullRun ? 100_000 : 1_000;
const LINKS = isFullRun ? 100_000 : 1_000;
const PROBES = isFullRun ? 10 : 2;
/** What one organization may cost another; looked at under TEST_FULL only, on a quiet machine. */
const MOST_MS = 5_000;
const BATCH_EVENTS = 100;
const SENDERS = 8;

const released = Promise.withResolvers<void>();
const arrived = new Set<string>();
let hanging = 0;
/** Where the loud one's webhooks go nobody answers; the quiet one's are taken. */
const receiver = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  idleTimeout: 0,
  fetch: async (request) => {
    if (new URL(request.url).pathname === '/hangs') {
      hanging += 1;
      await released.promise;
    } else arrived.add(request.headers.get('webhook-id') ?? '');
    return new Response();
  },
});
const servers = await startOwnServers(newDataDir());
const env = {
  ...servers.env,
  RATE_LIMIT_SCALE: '1000',
  EGRESS_ALLOW: `127.0.0.1:${receiver.port}`,
};
const instance = await startInstance({ env });
const sql = createSql(env.DATABASE_URL, { maxConnections: 2, applicationName: 'fairness' });
afterAll(async () => {
  released.resolve();
  await sql.end();
  await instance.stop();
  await receiver.stop(true);
  await Promise.all([servers.postgres.kill(), servers.temporal.kill()]);
});

type Sent = { name: string; anonymousId: string; userId?: string };

/** An organization with an app, a key of it and a webhook. */
async function tenant(name: string, path: string) {
  const { call } = bootstrapClient(instance, name, env);
  const read = async (method: string, route: string, body?: unknown): Promise<any> => {
    const answer = await call(method, route, body);
    if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const app = await read('POST', '/v1/apps', { slug: name, displayName: name });
  const { secret } = await read('POST', `/v1/apps/${app.id}/keys`, { name });
  const { webhook } = await read('POST', '/v1/webhooks', {
    url: `http://127.0.0.1:${receiver.port}${path}`,
    events: ['app.created'],
  });
  const send = async (events: Sent[]) => {
    const answer = await fetch(`${instance.url}/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-key': secret },
      body: JSON.stringify({ events }),
    });
    if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`);
  };
  return {
    appId: app.id as string,
    webhookId: webhook.id as string,
    send,
    /** So many events, as fast as they go. */
    sendMany: async (count: number, eventOf: (n: number) => Sent) => {
      let next = 0;
      const sender = async () => {
        while (next < count) {
          const first = next;
          next += BATCH_EVENTS;
          await send(Array.from({ length: BATCH_EVENTS }, (_, i) => eventOf(first + i)));
        }
      };
      await Promise.all(Array.from({ length: SENDERS }, sender));
    },
    summary: (): Promise<EventSummary> => read('GET', `/v1/apps/${app.id}/events/summary`),
    testWebhook: (): Promise<{ deliveryId: string }> =>
      read('POST', `/v1/webhooks/${webhook.id}/test`, {}),
  };
}

const loud = await tenant('loud', '/hangs');
const quiet = await tenant('quiet', '/answers');
// The first question of all opens DuckDB.
await quiet.summary();

/** Does it again and again, one after the other; the longest under the full count. */
async function probe(what: string, once: (turn: number) => Promise<void>): Promise<void> {
  const tookMs: number[] = [];
  for (let turn = 0; turn < PROBES; turn += 1) {
    const startedAt = performance.now();
    await once(turn);
    tookMs.push(Math.round(performance.now() - startedAt));
  }
  console.log(`  ${what}: ${tookMs.join(', ')} ms`);
  if (isFullRun) expect(Math.max(...tookMs)).toBeLessThanOrEqual(MOST_MS);
}

async function pendingOf(webhookId: string): Promise<number> {
  const [row] = await sql`
    SELECT count(*) AS pending FROM webhook_deliveries
    WHERE webhook_id = ${webhookId} AND status = 'pending'`;
  return row?.pending;
}

const freeze = (name: string) => process.kill(instance.children()[name] ?? 0, 'SIGSTOP');
const thaw = (name: string) => process.kill(instance.children()[name] ?? 0, 'SIGCONT');
afterEach(() => thaw('compactor'));

describe('a backlog of one organization holds up nobody else', () => {
  test(
    `${EVENTS} events in the log that nobody has compacted`,
    async () => {
      freeze('compactor');
      await loud.sendMany(EVENTS, (n) => ({ name: 'loud', anonymousId: `loud-device-${n}` }));
      const seen = (turn: number) => async () => {
        await quiet.send([{ name: `quiet_${turn}`, anonymousId: 'quiet-device' }]);
        await until(`quiet_${turn} in a summary`, async () =>
          (await quiet.summary()).names.some(({ name }) => name === `quiet_${turn}`),
        );
      };
      await probe('an event until it is in a report, nothing in files', (turn) => seen(turn)());
      thaw('compactor');
      await probe('the same while they are put into files', (turn) => seen(PROBES + turn)());
      const startedAt = performance.now();
      await untilCompacted(instance);
      console.log(`  all in files after another ${Math.round(performance.now() - startedAt)} ms`);
      expect(await loud.summary()).toMatchObject({ events: EVENTS });
    },
    isFullRun ? 900_000 : 120_000,
  );

  test(
    `${LINKS} devices that turn out to be people known already`,
    async () => {
      await loud.sendMany(LINKS, (n) => ({ name: 'before', anonymousId: `known-device-${n}` }));
      for (let turn = 0; turn < PROBES; turn += 1) {
        await quiet.send([{ name: 'before', anonymousId: `quiet-phone-${turn}` }]);
        await quiet.send([{ name: 'before', anonymousId: `quiet-tablet-${turn}` }]);
      }
      await untilCompacted(instance);
      const { people } = await quiet.summary();
      await loud.sendMany(LINKS, (n) => ({
        name: 'after',
        anonymousId: `known-device-${n}`,
        userId: `known-user-${n % (LINKS / 2)}`,
      }));
      // Two devices become one person: there is one fewer each time.
      await probe('a link until a report follows it', async (turn) => {
        const userId = `somebody-${turn}`;
        await quiet.send([
          { name: 'after', anonymousId: `quiet-phone-${turn}`, userId },
          { name: 'after', anonymousId: `quiet-tablet-${turn}`, userId },
        ]);
        await until('one person fewer', async (saw) => {
          const now = (await quiet.summary()).people;
          saw(now);
          return now === people - turn - 1;
        });
      });
      await untilCompacted(instance);
    },
    isFullRun ? 900_000 : 120_000,
  );

  test(
    `${DELIVERIES} webhook deliveries to an address that hangs`,
    async () => {
      await sql`
        INSERT INTO webhook_deliveries
          (delivery_id, org_id, webhook_id, event_type, body, status, created_at)
        SELECT 'backlog-' || i, org_id, webhook_id, 'app.created', '{}', 'pending', now()
        FROM webhooks, generate_series(1, ${DELIVERIES}::int) AS i
        WHERE webhook_id = ${loud.webhookId}`;
      await until('the backlog holds all its places', () => hanging >= DUE_AT_ONCE);
      await probe('a delivery', async () => {
        const { deliveryId } = await quiet.testWebhook();
        await until('the delivery', () => arrived.has(deliveryId));
      });
      expect(await pendingOf(loud.webhookId)).toBeGreaterThan(DELIVERIES / 2);
    },
    isFullRun ? 900_000 : 120_000,
  );
});
