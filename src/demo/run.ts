import { type Api, createApi } from '../../clients/api/src/index.ts';
import { loadConfig } from '../config.ts';
import type { Deps, OrgContext } from '../context.ts';
import { commandPrefix } from '../launcher/announce.ts';
import { freePort } from '../launcher/embedded/ports.ts';
import { insertDemo } from '../modules/demo/index.ts';
import { bootstrap } from '../modules/identity/index.ts';
import { deliverSoon } from '../modules/webhooks/index.ts';
import { at, must } from '../shared/assert.ts';
import { errorMessage } from '../shared/errors.ts';
import { MINUTE_MS, sleep } from '../shared/time.ts';
import { drawFunnel } from './draw.ts';
import { makeExperiments, onboardingsBy, recordExposures } from './experiments.ts';
import { type ListenAt, type Listener, startListener } from './listener.ts';
import { writeLogs } from './logs.ts';
import { SIMULATED_APPS } from './market.ts';
import { demoMonth } from './month.ts';
import { writeNotes } from './notes.ts';
import { sendDigestNow, subscribe } from './notify.ts';
import { recordChains, splitNewest } from './purchases.ts';
import { isEmailTaken } from './queries.ts';
import { removeDemos } from './remove.ts';
import { type Collect, connectAccount, drawSales, linkStoreApps } from './sales.ts';
import { recordSessions } from './send.ts';
import { findOrStartService, withDeps } from './service.ts';
import { fillSettings } from './settings.ts';
import { fillStorefront } from './storefront.ts';
import { type DemoChain, demoChains } from './subscribers.ts';

const EMAIL = 'demo@example.com';
const PROVISIONED_WITHIN_MS = 60_000;
const PEOPLE_RATIO = 6;

export type DemoOptions = { people: number; seed: number };

type Say = (text: string) => void;

const toRun = (command: string) => `${commandPrefix(loadConfig().dataDir)}${command}`;

type Owner = Awaited<ReturnType<typeof bootstrap>>;

async function freeEmail({ sql }: Deps): Promise<string> {
  if (!(await isEmailTaken(sql, EMAIL))) return EMAIL;
  return EMAIL.replace('@', `-${Date.now().toString(36)}@`);
}

async function makeOrganization(deps: Deps): Promise<Owner> {
  const ctx = { deps, requestId: 'demo' };
  const email = await freeEmail(deps);
  const made = await bootstrap(ctx, { organization: 'Demo', email });
  const { organizationId: orgId, userId } = made;
  await insertDemo(deps.sql, { orgId, userId, madeAt: deps.clock() });
  return made;
}

type DemoApp = { appId: string; serviceKey: string; keyId: string };

async function untilActive(api: Api, id: string): Promise<void> {
  const end = performance.now() + PROVISIONED_WITHIN_MS;
  for (;;) {
    const { status } = await api.getApp({ id });
    if (status === 'active') return;
    if (status === 'error' || performance.now() > end) {
      throw new Error(`The app is ${status}; see its run in the Temporal UI.`);
    }
    await Bun.sleep(200);
  }
}

async function makeApp(api: Api, name: string): Promise<DemoApp> {
  const slug = name.toLowerCase().replaceAll(' ', '-');
  const { id } = await api.createApp({ body: { slug, displayName: name } });
  await untilActive(api, id);
  const { key, secret } = await api.createPublishableKey({ id, body: { name: 'demo' } });
  return { appId: id, serviceKey: secret, keyId: key.id };
}

type Work = {
  ctx: OrgContext;
  api: Api;
  address: string;
  options: DemoOptions;
  nowMs: number;
  say: Say;
};

async function fillFirst(work: Work, made: DemoApp): Promise<DemoChain[]> {
  const { ctx, api, nowMs, options, say } = work;
  const scope = { ctx, api, appId: made.appId };
  const experiments = await makeExperiments(scope);
  const people = demoMonth(options.people, nowMs, options.seed, onboardingsBy(experiments));
  const exposures = await recordExposures(scope, made.keyId, experiments, people);
  const events = await recordSessions({ ctx, ...made }, people);
  await writeNotes(api, made.appId, nowMs);
  say(`  ${events} events of ${people.length} people, ${exposures} exposures of two experiments`);
  return demoChains(people, { seed: options.seed, nowMs, appIndex: 0 });
}

async function fillSecond(work: Work, made: DemoApp): Promise<DemoChain[]> {
  const { ctx, nowMs, options, say } = work;
  const seed = options.seed + 1;
  const people = demoMonth(Math.ceil(options.people / PEOPLE_RATIO), nowMs, seed);
  say(`  ${await recordSessions({ ctx, ...made }, people)} events of ${people.length} people`);
  return demoChains(people, { seed, nowMs, appIndex: 1 });
}

const NOT_HEARD = (address: string) => `
  No webhooks, messages and digests are printed here, because this service may not send to ${address}.
  To see them, start it with EGRESS_ALLOW=${address}, then:
    ${toRun('bun run demo')} --listen ${address}`;

async function fillPurchases(
  work: Work,
  made: readonly DemoApp[],
  chains: readonly DemoChain[][],
  listener: Listener,
) {
  const { ctx, api, say } = work;
  const { earlier, newest } = splitNewest(at(chains, 0));
  await recordChains({ ctx, ...at(made, 0) }, earlier);
  await recordChains({ ctx, ...at(made, 1) }, at(chains, 1));
  say(
    `  ${chains.flat().length} subscriptions with trials, renewals, refunds and billing problems`,
  );
  const { isHeard } = await subscribe(api, listener);
  if (!isHeard) say(NOT_HEARD(listener.address));
  await recordChains({ ctx, ...at(made, 0) }, newest, { areNew: true });
  deliverSoon(ctx.deps, ctx.orgId);
}

type Filled = { apps: DemoApp[]; collect: Collect };

async function fill(work: Work, listener: Listener): Promise<Filled> {
  const { ctx, api, options, say } = work;
  const apps: DemoApp[] = [];
  for (const { name } of SIMULATED_APPS) apps.push(await makeApp(api, name));
  const collect = await connectAccount(ctx, options.seed);
  await linkStoreApps(
    api,
    apps.map(({ appId }) => appId),
  );
  await collect();
  const chains = [await fillFirst(work, at(apps, 0)), await fillSecond(work, at(apps, 1))];
  await fillPurchases(work, apps, chains, listener);
  const first = { app: SIMULATED_APPS[0], appId: at(apps, 0).appId };
  say(`  ${await fillStorefront({ ctx, seed: options.seed, ...first })} reviews of the store`);
  await fillSettings({ api, ...first });
  say(`  ${await writeLogs(ctx, first.appId)} log entries`);
  await sendDigestNow(ctx, api);
  return { apps, collect };
}

async function show({ api, address, say }: Work, { appId }: DemoApp, owner: Owner): Promise<void> {
  const [first] = await api.listFunnels({ id: appId });
  const { id: funnelId } = must(first, 'a new app has a funnel');
  say(`\n${drawFunnel(await api.getFunnelReport({ id: appId, funnelId }))}\n`);
  say(await drawSales(api));
  say(`
Sign in    ${address}
  e-mail   ${owner.email}
  password ${owner.password}

Look at it with curl:
  API=${address}; APP=${appId}; KEY=${owner.apiKey}
  curl -s "$API/v1/apps/$APP/funnels/${funnelId}/report?breakdown=appVersion" -H "x-api-key: $KEY"   # 2.4.0 loses people at the paywall
  curl -s "$API/v1/analytics?days=60" -H "x-api-key: $KEY"               # sales, with two late days
  curl -s "$API/v1/apps/$APP/experiments" -H "x-api-key: $KEY"           # one ended, one runs: /{id}/report
  curl -s "$API/v1/logs?level=error" -H "x-api-key: $KEY"
  ${toRun('bun run analyst')} -- --org ${owner.organizationId} "SELECT name, count(*) FROM events GROUP BY ALL ORDER BY 2 DESC"

To take all of it away:
  ${toRun('bun run demo')} --remove`);
}

export type MadeDemo = Filled & { owner: Owner };

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
  const owner = await makeOrganization(deps);
  const ctx: OrgContext = { ...system, orgId: owner.organizationId, actor: { kind: 'system' } };
  const api = createApi({ url: address, apiKey: owner.apiKey });
  const work = { ctx, api, address, options, nowMs: deps.clock().getTime(), say };
  const { apps, collect } = await fill(work, listener);
  await show(work, at(apps, 0), owner);
  return { owner, apps, collect };
}

const untilInterrupted = () =>
  new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });

async function stay(collect: Collect, say: Say): Promise<void> {
  let isOver = false;
  const interrupted = untilInterrupted().then(() => {
    isOver = true;
  });
  for (;;) {
    await Promise.race([interrupted, sleep(MINUTE_MS)]);
    if (isOver) return;
    try {
      const { arrived } = await collect();
      if (arrived > 0) say(`  sales    ${arrived} late days have arrived`);
    } catch (thrown) {
      say(`  sales    not written, the next minute tries again: ${errorMessage(thrown)}`);
    }
  }
}

const USUAL_PORT = 4400;

export async function runDemo(
  { stays, listen, ...options }: DemoOptions & { stays: boolean; listen: ListenAt },
  say: Say,
): Promise<void> {
  const listener = startListener(say, { listen, usualPort: await freePort([USUAL_PORT]) });
  const service = await findOrStartService(say, [listener.address]);
  try {
    await withDeps(service.config, async (deps) => {
      const { collect } = await makeDemo(deps, service.address, options, listener, say);
      if (!stays) return;
      say(
        '\nThis goes on: late days of sales arrive, and webhooks, messages, alerts and the morning digest are printed as they come. Ctrl-C ends that; the demo stays.',
      );
      await stay(collect, say);
    });
  } finally {
    await listener.stop();
    await service.stop();
  }
}

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
