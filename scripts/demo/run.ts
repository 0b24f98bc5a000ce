import { Type } from '@sinclair/typebox';
import { createDeps } from '../../src/app/deps.ts';
import { setLimit } from '../../src/modules/app-settings/limits.ts';
import { Funnel } from '../../src/modules/funnels/model.ts';
import { FunnelReport } from '../../src/modules/funnels/report.model.ts';
import { bootstrap } from '../../src/modules/identity/organizations/bootstrap.ts';
import { CreatedKey } from '../../src/modules/keys/model.ts';
import { App } from '../../src/shared/app.ts';
import { parser } from '../../src/shared/schema.ts';
import type { StoreSimulator } from '../../test/simulators/store/server.ts';
import { type DemoApi, demoApi } from './api.ts';
import { toBatches } from './batches.ts';
import { drawFunnel } from './draw.ts';
import { demoMonth } from './month.ts';
import { sendBatches } from './send.ts';
import { type DemoService, findOrStartService, isServiceThere } from './service.ts';
import { showStore, startDemoStore } from './store.ts';

const PEOPLE = 3_000;
const RAISED_BATCHES_PER_MINUTE = 1_000_000;
const PROVISIONED_WITHIN_MS = 60_000;

const app = parser(App, 'app');
const createdKey = parser(CreatedKey, 'key');
const funnels = parser(Type.Array(Funnel), 'funnels');
const report = parser(FunnelReport, 'report');

const say = (text: string) => console.log(text);

function showProgress(done: number, all: number): void {
  if (!process.stdout.isTTY) return;
  process.stdout.write(`\r  ${Math.round((done / all) * 100)} % of ${all} events`);
  if (done === all) process.stdout.write('\n');
}

/** An organization of its own, an app in it, and a key whose rate limit fits a month in a minute. */
async function prepare({ config, address }: DemoService) {
  const deps = await createDeps(config, 'admin');
  const ctx = { deps, requestId: 'demo' };
  try {
    const made = await bootstrap(ctx, { organization: 'Demo', email: 'demo@example.com' });
    const api = demoApi(address, { 'x-api-key': made.apiKey });
    const slug = `focus-timer-${Date.now().toString(36)}`;
    const { id } = await api.post('/v1/apps', { slug, displayName: 'Focus Timer' }, app.parse);
    const { secret } = await api.post(`/v1/apps/${id}/keys`, { name: 'demo' }, createdKey.parse);
    await setLimit(ctx, { appId: id, name: 'events', points: RAISED_BATCHES_PER_MINUTE });
    return { api, appId: id, serviceKey: secret, apiKey: made.apiKey };
  } finally {
    await deps.close();
  }
}

async function untilActive(api: DemoApi, appId: string): Promise<void> {
  const end = performance.now() + PROVISIONED_WITHIN_MS;
  for (;;) {
    const { status } = await api.get(`/v1/apps/${appId}`, app.parse);
    if (status === 'active') return;
    if (status === 'error' || performance.now() > end) {
      throw new Error(`The app is ${status}; see its run in the Temporal UI.`);
    }
    await Bun.sleep(200);
  }
}

async function show(service: DemoService, store: StoreSimulator | null): Promise<void> {
  const { api, appId, serviceKey, apiKey } = await prepare(service);
  await untilActive(api, appId);
  const batches = toBatches(demoMonth(PEOPLE, Date.now()));
  const all = batches.reduce((sum, batch) => sum + batch.events.length, 0);
  say(`Sending a month of ${PEOPLE} people to ${service.address}/v1/events …`);
  const startedAt = performance.now();
  const device = demoApi(service.address, { 'x-service-key': serviceKey });
  const sent = await sendBatches(device, batches, (done) => showProgress(done, all));
  const seconds = (performance.now() - startedAt) / 1_000;
  say(`${sent} events were taken in ${seconds.toFixed(1)} s.\n`);
  const [first] = await api.get(`/v1/apps/${appId}/funnels`, funnels.parse);
  if (!first) throw new Error('The app has no funnel.');
  const path = `/v1/apps/${appId}/funnels/${first.id}/report`;
  say(drawFunnel(await api.get(path, report.parse)));
  if (store) await showStore(api, store, say);
  const when = service.isOwn ? ' (after "bun run start")' : '';
  say(`\nThe same as JSON, by platform${when}:
  curl -s '${service.address}${path}?breakdown=platform' -H 'x-api-key: ${apiKey}'`);
}

/** Fills an app with a believable month through the real route and prints its funnel. */
export async function runDemo(): Promise<void> {
  // A service that runs already has its own store: nothing simulated is put in front of it.
  const store = (await isServiceThere()) || Bun.env.STORE_API_URL ? null : await startDemoStore();
  const service = await findOrStartService(say);
  try {
    await show(service, store);
  } finally {
    await service.stop();
    await store?.stop();
  }
}
