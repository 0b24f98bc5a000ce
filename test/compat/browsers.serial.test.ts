import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { at } from '../../src/shared/assert.ts';
import { launchChromium } from '../support/clients/chromium.ts';
import { bootstrapClient, type CrashClient } from '../support/crash-client.ts';
import { type Instance, isHealthy, startInstance } from '../support/instance.ts';
import { until } from '../support/until.ts';

const EVENTS = 1_000;
const KILLS = 3;
const WITHIN_MS = 600_000;

const MODULES = join(import.meta.dir, 'node_modules');
const published = (path: string) => async () => Bun.file(join(MODULES, path));
/** A program with its client in one file. */
const bundled = (name: string) => async () => {
  const entrypoints = [join(import.meta.dir, 'clients', name)];
  const { outputs } = await Bun.build({ entrypoints, target: 'browser', format: 'iife' });
  return at(outputs, 0);
};
const byProgram = (name: string) => ({
  script: bundled(name),
  begin: (host: string, key: string) => `begin('${host}', '${key}');`,
});

const CLIENTS = {
  '@segment/analytics-next': byProgram('segment-browser.mjs'),
  '@rudderstack/analytics-js': byProgram('rudder-browser.mjs'),
  'posthog-js': {
    script: published('posthog-js/dist/array.full.js'),
    /** Its own bounds raised, or it drops much at once, and a headless browser's. */
    begin: (host: string, key: string) => `
      posthog.init('${key}', {
        api_host: '${host}/v1/posthog',
        opt_out_useragent_filter: true,
        autocapture: false,
        capture_pageview: false,
        capture_pageleave: false,
        rate_limiting: { events_per_second: 10000, events_burst_limit: 100000 },
      });
      window.sendOne = (n) => posthog.capture('Step Done', { n });
      window.identify = () => posthog.identify('user-1');`,
  },
  '@amplitude/analytics-browser': {
    script: published('@amplitude/analytics-browser/lib/scripts/amplitude-min.js'),
    /** It dates an event when its queue comes to it. */
    timesIn: (body: string): [number, number][] =>
      JSON.parse(body).events.map((one: any) => [one.event_properties.n, one.time]),
    begin: (host: string, key: string) => `
      window.amplitude = window.amplitude ?? window.amplitudeAnalytics;
      amplitude.init('${key}', {
        serverUrl: '${host}/v1/amplitude/2/httpapi',
        autocapture: false,
        flushMaxRetries: 30,
        fetchRemoteConfig: false,
      });
      window.sendOne = (n) => amplitude.track('Step Done', { n });
      window.identify = () => amplitude.setUserId('user-1');`,
  },
} as const;
type Name = keyof typeof CLIENTS;

const browser = await launchChromium();
let instance: Instance;
let client: CrashClient;
let intake: string;
beforeAll(async () => {
  const port = await freePort();
  intake = `http://127.0.0.1:${port}`;
  instance = await startInstance({ env: { INTAKE_PORT: String(port), RATE_LIMIT_SCALE: '1000' } });
  client = bootstrapClient(instance, 'browsers');
});
afterAll(async () => {
  instance.kill('SIGKILL');
  await browser?.close();
});

async function json(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await client.call(method, path, body);
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** A page of another origin than the intake. */
function servePage(name: Name, key: string) {
  const { script, begin } = CLIENTS[name];
  const page = `<!doctype html><script src="/client.js"></script><script>${begin(intake, key)}</script>`;
  return Bun.serve({
    port: 0,
    fetch: async ({ url }) =>
      url.endsWith('/client.js')
        ? new Response(await script(), { headers: { 'content-type': 'text/javascript' } })
        : new Response(page, { headers: { 'content-type': 'text/html' } }),
  });
}

/** As stored: its number, when it happened, and whose it is. */
async function storedSteps(appId: string): Promise<[number, number, string][]> {
  const sql = `SELECT props->>'n', epoch_ms(occurred_at), person_id FROM events
    WHERE app_id = $app AND name = 'step_done'`;
  const { rows } = await json('POST', '/v1/sql', { sql, parameters: { app: appId } });
  return rows.map(([n, at, person]: unknown[]) => [Number(n), Number(at), String(person)]);
}

async function killApi(): Promise<void> {
  const { api } = instance.children();
  process.kill(api ?? 0, 'SIGKILL');
  await until('another API', () => ![undefined, api].includes(instance.children().api));
  await until('the API is healthy', () => isHealthy(instance.url));
}

test.skipIf(!browser).each(Object.keys(CLIENTS) as Name[])(
  `%s: ${EVENTS} events, each counted once`,
  async (name) => {
    const slug = name.replaceAll(/[^a-z]+/g, '-').replaceAll(/^-|-$/g, '');
    const { id } = await json('POST', '/v1/apps', { slug, displayName: slug });
    const { secret } = await json('POST', `/v1/apps/${id}/keys`, { name: 'compat' });
    const site = servePage(name, secret);
    const context = await browser!.newContext();
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    const { timesIn = null } = { timesIn: undefined, ...CLIENTS[name] };
    const ownTimes = timesIn && new Map<number, number>();
    page.on('request', (request) => {
      const body = request.url().startsWith(intake) && request.postData();
      if (!body) return;
      for (const [n, ms] of timesIn?.(body) ?? []) ownTimes?.set(n, ms);
    });
    await page.goto(site.url.href);
    await page.evaluate('window.begun');
    const sent: { until: number; from: number; to: number }[] = [];
    for (let part = 0; part < KILLS; part += 1) {
      const [from, to] = [part, part + 1].map((each) => Math.round((each * EVENTS) / KILLS));
      const began = Date.now();
      await page.evaluate(`for (let n = ${from}; n < ${to}; n += 1) window.sendOne(n)`);
      sent.push({ until: to ?? 0, from: began, to: Date.now() });
      if (part === 1) await page.evaluate('window.identify()');
      await killApi();
    }
    const named = async () => {
      const { names } = await json('GET', `/v1/apps/${id}/events/summary`);
      return names.find((each: any) => each.name === 'step_done');
    };
    const end = Date.now() + WITHIN_MS;
    while ((await named())?.events !== EVENTS && Date.now() < end) await Bun.sleep(1_000);
    // What comes twice comes by now.
    await Bun.sleep(5_000);
    expect(faults).toEqual([]);
    expect(await named()).toMatchObject({ events: EVENTS, people: 1 });
    const recent = await json('GET', `/v1/apps/${id}/events/recent?personId=user-1`);
    expect(recent.length).toBeGreaterThan(0);
    expect(recent[0].platform).toBe('web');
    const steps = (await storedSteps(id)).toSorted(([one], [other]) => one - other);
    expect(steps.map(([n]) => n)).toEqual(Array.from({ length: EVENTS }, (_, n) => n));
    expect(new Set(steps.map(([, , person]) => person))).toEqual(new Set(['user-1']));
    const late = steps.filter(([n, ms]) => {
      const part = sent.find(({ until }) => n < until);
      return part === undefined || ms < part.from || ms > part.to;
    });
    if (ownTimes) expect(new Map(steps.map(([n, ms]) => [n, ms]))).toEqual(ownTimes);
    else expect(late).toEqual([]);
    await context.close();
    await site.stop(true);
  },
  2 * WITHIN_MS,
);
