import { Type } from '@sinclair/typebox';
import type { Deps, OrgContext } from '../context.ts';
import { insertDemo } from '../modules/demo/index.ts';
import { Funnel } from '../modules/funnels/model.ts';
import { FunnelReport } from '../modules/funnels/rules/report.model.ts';
import { findUserByEmail } from '../modules/identity/accounts/queries.ts';
import { type Bootstrapped, bootstrap } from '../modules/identity/organizations/bootstrap.ts';
import { CreatedKey } from '../modules/keys/model.ts';
import { deliverSoon } from '../modules/webhooks/index.ts';
import { SIMULATED_APPS } from '../providers/store/simulated/market.ts';
import { LATE_DAYS_AGO } from '../providers/store/simulated/store.ts';
import { App } from '../shared/app.ts';
import { at } from '../shared/assert.ts';
import { parser } from '../shared/schema.ts';
import { type DemoApi, demoApi } from './api.ts';
import { drawFunnel } from './draw.ts';
import {
  type DemoExperiments,
  makeExperiments,
  onboardingsOf,
  recordExposures,
} from './experiments.ts';
import { type Listener, type Listening, startListener } from './listener.ts';
import { writeLogs } from './logs.ts';
import { demoMonth } from './month.ts';
import { writeNotes } from './notes.ts';
import { apartFromNews, recordChains } from './purchases.ts';
import { removeDemos } from './remove.ts';
import { connectSimulatedStore, drawSales, linkStoreApps, untilCollected } from './sales.ts';
import { recordSessions } from './send.ts';
import { findOrStartService, withDeps } from './service.ts';
import { type DemoChain, demoChains } from './subscribers.ts';
import { hearNews, sendDigestNow } from './tell.ts';

const EMAIL = 'demo@example.com';
const PROVISIONED_WITHIN_MS = 60_000;
/** The second app is this much smaller. */
const SMALLER = 6;

export type DemoOptions = { people: number; seed: number };

type Say = (text: string) => void;

const app = parser(App, 'app');
const createdKey = parser(CreatedKey, 'key');
const funnels = parser(Type.Array(Funnel), 'funnels');
const report = parser(FunnelReport, 'report');

/** The usual address, or another one where somebody has that. */
async function freeEmail({ sql }: Deps): Promise<string> {
  if (!(await findUserByEmail(sql, EMAIL))) return EMAIL;
  return EMAIL.replace('@', `-${Date.now().toString(36)}@`);
}

async function makeOrganization(deps: Deps, listener: Listener): Promise<Bootstrapped> {
  const ctx = { deps, requestId: 'demo' };
  const email = await freeEmail(deps);
  const made = await bootstrap(ctx, { organization: 'Demo', email });
  await insertDemo(deps.sql, {
    orgId: made.organizationId,
    userId: made.userId,
    listener: listener.address,
    madeAt: deps.clock(),
  });
  return made;
}

type DemoApp = { appId: string; serviceKey: string; keyId: string };

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

/** An app with a publishable key. */
async function makeApp(api: DemoApi, name: string): Promise<DemoApp> {
  const slug = name.toLowerCase().replaceAll(' ', '-');
  const { id } = await api.post('/v1/apps', { slug, displayName: name }, app.parse);
  await untilActive(api, id);
  const { key, secret } = await api.post(`/v1/apps/${id}/keys`, { name: 'demo' }, createdKey.parse);
  return { appId: id, serviceKey: secret, keyId: key.id };
}

type Work = {
  ctx: OrgContext;
  api: DemoApi;
  address: string;
  options: DemoOptions;
  nowMs: number;
  say: Say;
};

/** The larger app: everything that there is. Returns its people's purchases. */
async function fillFirst(work: Work, made: DemoApp): Promise<DemoChain[]> {
  const { ctx, api, nowMs, options, say } = work;
  const scope = { ctx, api, appId: made.appId };
  const experiments: DemoExperiments = await makeExperiments(scope);
  const people = demoMonth(options.people, nowMs, options.seed, onboardingsOf(experiments));
  const exposures = await recordExposures(scope, made.keyId, experiments, people);
  const events = await recordSessions({ ctx, ...made }, people);
  await writeNotes(api, made.appId, nowMs);
  say(`  ${events} events of ${people.length} people, ${exposures} exposures of two experiments`);
  return demoChains(people, { seed: options.seed, nowMs, appIndex: 0 });
}

async function fillSecond(work: Work, made: DemoApp): Promise<DemoChain[]> {
  const { ctx, nowMs, options, say } = work;
  const seed = options.seed + 1;
  const people = demoMonth(Math.ceil(options.people / SMALLER), nowMs, seed);
  say(`  ${await recordSessions({ ctx, ...made }, people)} events of ${people.length} people`);
  return demoChains(people, { seed, nowMs, appIndex: 1 });
}

/** Subscribers of both apps; what is news comes last, when the listener hears of it. */
async function fillPurchases(
  work: Work,
  made: readonly DemoApp[],
  chains: readonly DemoChain[][],
  listener: Listener,
) {
  const { ctx, say } = work;
  const { earlier, news } = apartFromNews(at(chains, 0));
  await recordChains({ ctx, ...at(made, 0) }, earlier);
  await recordChains({ ctx, ...at(made, 1) }, at(chains, 1));
  say(
    `  ${chains.flat().length} subscriptions with trials, renewals, refunds and billing problems`,
  );
  await hearNews(ctx, listener);
  await recordChains({ ctx, ...at(made, 0) }, news, { areNews: true });
  deliverSoon(ctx.deps, ctx.orgId);
}

async function fill(work: Work, listener: Listener): Promise<DemoApp[]> {
  const { ctx, api, options, say } = work;
  const made: DemoApp[] = [];
  for (const { name } of SIMULATED_APPS) made.push(await makeApp(api, name));
  await connectSimulatedStore(ctx, options.seed);
  await linkStoreApps(
    api,
    made.map(({ appId }) => appId),
  );
  const chains = [await fillFirst(work, at(made, 0)), await fillSecond(work, at(made, 1))];
  await fillPurchases(work, made, chains, listener);
  say(`  ${await writeLogs(ctx, at(made, 0).appId)} log entries`);
  await untilCollected(api, LATE_DAYS_AGO.length);
  await sendDigestNow(ctx);
  return made;
}

async function show(
  { api, address, say }: Work,
  { appId }: DemoApp,
  owner: Bootstrapped,
): Promise<void> {
  const [first] = await api.get(`/v1/apps/${appId}/funnels`, funnels.parse);
  if (!first) throw new Error('The app has no funnel.');
  const path = `/v1/apps/${appId}/funnels/${first.id}/report`;
  say(`\n${drawFunnel(await api.get(path, report.parse))}\n`);
  say(await drawSales(api));
  say(`
Sign in    ${address}
  e-mail   ${owner.email}
  password ${owner.password}

Look at it with curl:
  API=${address}; APP=${appId}; KEY=${owner.apiKey}
  curl -s "$API${path.replace(appId, '$APP')}?breakdown=appVersion" -H "x-api-key: $KEY"   # 2.4.0 loses people at the paywall
  curl -s "$API/v1/analytics?days=60" -H "x-api-key: $KEY"               # sales, with two late days
  curl -s "$API/v1/apps/$APP/experiments" -H "x-api-key: $KEY"           # one ended, one runs: /{id}/report
  curl -s "$API/v1/logs?level=error" -H "x-api-key: $KEY"
  bun run analyst -- --org ${owner.organizationId} "SELECT name, count(*) FROM events GROUP BY ALL ORDER BY 2 DESC"

"bun run demo --remove" takes all of it away.`);
}

/** Settles at Ctrl-C. */
const untilInterrupted = () =>
  new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });

export type MadeDemo = { owner: Bootstrapped; apps: DemoApp[] };

/** Makes the demo in a service, in place of the one that is there, and shows it. */
export async function makeDemo(
  deps: Deps,
  address: string,
  options: DemoOptions,
  listener: Listener,
  say: Say,
): Promise<MadeDemo> {
  const system = { deps, requestId: 'demo' };
  if ((await removeDemos(system)) > 0) say('The demo that was here is replaced.');
  say(`Filling the organization "Demo" at ${address} …`);
  const owner = await makeOrganization(deps, listener);
  const ctx: OrgContext = { ...system, orgId: owner.organizationId, actor: { kind: 'system' } };
  const api = demoApi(address, { 'x-api-key': owner.apiKey });
  const work = { ctx, api, address, options, nowMs: deps.clock().getTime(), say };
  const apps = await fill(work, listener);
  await show(work, at(apps, 0), owner);
  return { owner, apps };
}

/** Makes the demo in the service that runs here, or in one of its own. */
export async function runDemo(
  { stays, listen, ...options }: DemoOptions & { stays: boolean; listen: Listening },
  say: Say,
): Promise<void> {
  const service = await findOrStartService(say);
  const listener = startListener(say, listen);
  try {
    await withDeps(service.config, (deps) =>
      makeDemo(deps, service.address, options, listener, say),
    );
    if (!stays) return;
    say(
      '\nThis goes on listening: webhooks, messages, alerts and the morning digest are printed here as they come. Ctrl-C ends the listening; the demo stays.',
    );
    await untilInterrupted();
  } finally {
    await listener.stop();
    await service.stop();
  }
}

/** Removes the demo from the service that runs here. */
export async function removeDemo(say: Say): Promise<void> {
  const service = await findOrStartService(say);
  try {
    const removed = await withDeps(service.config, (deps) =>
      removeDemos({ deps, requestId: 'demo' }),
    );
    say(removed === 0 ? 'There is no demo here.' : 'The demo and its login are gone.');
  } finally {
    await service.stop();
  }
}
