import { connectBody } from '../simulators/store/connect-body.ts';
import { startStoreSimulator } from '../simulators/store/server.ts';
import type { EventCrash } from './event-crash.ts';
import { expectVisible } from './event-crash.ts';
import type { Row } from './outage-cells.ts';
import { until } from './until.ts';

const HISTORY_DAYS = 30;
/** Patient: where much else runs an answer takes its time, and only those of what is away may be missing. */
const ANSWER_MS = 60_000;

export type ProbedRow = {
  /** Asks once, as a caller does; gives the status, 0 where no answer came. */
  ask: () => Promise<number>;
  /** All that was taken meanwhile is done. */
  settled: () => Promise<unknown>;
};

export type OutageRows = Record<Row, ProbedRow>;

/** A customer's address that takes what comes, and a store that has a month of sales. */
export async function startOutside() {
  const arrived = new Set<string>();
  const receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      arrived.add(request.headers.get('webhook-id') ?? '');
      return new Response();
    },
  });
  const store = await startStoreSimulator({ retentionDays: HISTORY_DAYS, delayMs: 5 });
  return {
    arrived,
    receiver,
    store,
    env: {
      EGRESS_ALLOW: `127.0.0.1:${receiver.port}`,
      STORE_API_URL: store.url,
      FX_RATES_URL: 'file:///nowhere.csv',
    },
    stop: async () => {
      await receiver.stop(true);
      await store.stop();
    },
  };
}

type Outside = Awaited<ReturnType<typeof startOutside>>;

/** What callers do with a running service, row by row of the table. */
export async function probedRows(
  url: string,
  crash: EventCrash,
  { arrived, receiver, store }: Outside,
): Promise<OutageRows> {
  const { client, appId, sender } = crash;
  const json = { 'content-type': 'application/json' };
  const keyed = { ...json, 'x-api-key': client.apiKey };
  const fetched = (path: string, init: RequestInit) =>
    fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => null);
  const get = async (path: string, headers: Record<string, string> = keyed) => {
    const answer = await fetched(path, { headers });
    await answer?.text();
    return answer?.status ?? 0;
  };
  const post = async (path: string, body: unknown, headers: Record<string, string> = keyed) => {
    const answer = await fetched(path, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = (await answer?.text()) ?? '';
    return { status: answer?.status ?? 0, body: text.startsWith('{') ? JSON.parse(text) : {} };
  };
  const answers = (row: ProbedRow['ask'], goal: number) =>
    until(`an answer of ${goal}`, async (saw) => {
      const status = await row();
      saw(status);
      return status === goal;
    });

  const hook = await client.call('POST', '/v1/webhooks', {
    url: `http://127.0.0.1:${receiver.port}/`,
    events: ['app.created'],
  });
  const { webhook } = (await hook.json()) as { webhook: { id: string } };
  await client.call('POST', '/v1/store/connection', connectBody(store));
  const deliveries: string[] = [];
  const apps: string[] = [];
  let logged = 0;
  let refusals = 0;
  const device = { ...json, 'x-service-key': sender.secret };

  const entitlement = () =>
    get(`/v1/purchases/entitlement?appAccountToken=${crypto.randomUUID()}`, device);
  const signIn = async () => {
    const { email, password } = client;
    return (await post('/v1/auth/sign-in/email', { email, password }, json)).status;
  };
  const reports = () => get(`/v1/apps/${appId}/events/summary`);
  const sync = () => post('/v1/analytics/sync', {});
  const console = () => get('/', { accept: 'text/html' });
  const log = async () => {
    const { status } = await post('/v1/logs', { message: 'through an outage' });
    if (status === 202) logged += 1;
    return status;
  };
  return {
    events: {
      ask: async () => {
        const isRefused = sender.refusals > refusals;
        refusals = sender.refusals;
        return isRefused ? 503 : 202;
      },
      settled: () => expectVisible(crash),
    },
    reports: { ask: reports, settled: () => answers(reports, 200) },
    entitlement: { ask: entitlement, settled: () => answers(entitlement, 200) },
    webhooks: {
      ask: async () => {
        const { status, body } = await post(`/v1/webhooks/${webhook.id}/test`, {});
        if (status < 300 && status > 0) deliveries.push(body.deliveryId);
        return status;
      },
      settled: () =>
        until('every delivery has come', (saw) => {
          const left = deliveries.filter((id) => !arrived.has(id));
          saw(left);
          return left.length === 0;
        }),
    },
    sales: {
      ask: async () => (await sync()).status,
      settled: () =>
        until('the history of sales is whole', async (saw) => {
          const { status, body } = await sync();
          saw([status, body.daysRemaining]);
          return status === 200 && body.daysRemaining === 0;
        }),
    },
    'sign-in': { ask: signIn, settled: () => answers(signIn, 200) },
    'new apps': {
      ask: async () => {
        const slug = `made-${crypto.randomUUID().slice(0, 8)}`;
        const { status } = await post('/v1/apps', { slug, displayName: slug });
        if (status === 201) apps.push(slug);
        return status;
      },
      settled: () =>
        until('every app is active', async (saw) => {
          const listed = await client.call('GET', '/v1/apps');
          const found = (await listed.json()) as { slug: string; status: string }[];
          const active = new Set(found.flatMap((app) => (app.status === 'active' ? app.slug : [])));
          const left = apps.filter((slug) => !active.has(slug));
          saw(left);
          return left.length === 0;
        }),
    },
    logs: {
      ask: log,
      settled: () =>
        until('every entry of the log is written', async (saw) => {
          const page = await client.call('GET', '/v1/logs?q=through%20an%20outage&limit=1');
          const { source, total } = (await page.json()) as { source: string; total: number };
          saw([source, total]);
          return source === 'database' && total === logged;
        }),
    },
    console: { ask: console, settled: () => answers(console, 200) },
  };
}
