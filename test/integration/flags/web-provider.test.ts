import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { launchChromium } from '../../support/clients/chromium.ts';
import { flagApp } from '../../support/flags/flags.ts';
import { randomCases, wrongOnes } from '../../support/flags/random-cases.ts';
import { startListening } from '../../support/listening.ts';
import { isFullRun } from '../../support/random.ts';
import { createTestOrg } from '../../support/service.ts';

const FLAGS = isFullRun ? 2_000 : 100;
const SEED = Number(process.env.TEST_SEED ?? 35);

const browser = await launchChromium();
const { service, url } = await startListening();
const org = await createTestOrg(service);
const built = await Bun.build({
  entrypoints: [join(import.meta.dir, '../../support/flags/web-provider-page.ts')],
  target: 'browser',
});
const script = (await built.outputs[0]?.text()) ?? '';
const site = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: ({ url: asked }) =>
    asked.endsWith('.js')
      ? new Response(script, { headers: { 'content-type': 'text/javascript' } })
      : new Response('<!doctype html><script type="module" src="/page.js"></script>', {
          headers: { 'content-type': 'text/html' },
        }),
});
afterAll(async () => {
  await site.stop(true);
  await browser?.close();
});

/** What a page with the provider of the package says, from another origin than the service. */
async function inPage<T>(work: (page: import('playwright-core').Page) => Promise<T>): Promise<T> {
  const context = await browser?.newContext();
  if (!context) throw new Error('There is no browser.');
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${site.port}/`);
  await page.waitForFunction(() => 'evaluateAll' in globalThis);
  const answer = await work(page);
  await context.close();
  return answer;
}

test.skipIf(!browser)(
  `the web provider in Chromium evaluates ${FLAGS} random flags as a plain reckoning does (seed ${SEED})`,
  async () => {
    for (const asked of await randomCases(service, org, { flags: FLAGS, people: 1, seed: SEED })) {
      const { flagKey, cases } = asked;
      const found = await inPage((page) =>
        page.evaluate((given) => globalThis.evaluateAll(given), { url, flagKey, cases }),
      );
      expect(wrongOnes(asked, found)).toEqual([]);
    }
  },
);

test.skipIf(!browser)(
  'it keeps the answer, asks with its ETag, and exposes by the documented hook',
  async () => {
    const exposed: string[] = [];
    const { append } = service.deps.events;
    service.deps.events.append = async (record) => {
      exposed.push(Buffer.from(record.body).toString());
      await append(record);
    };
    const app = await flagApp(service, org);
    const arms = [
      { name: 'a', weight: 1 },
      { name: 'b', weight: 1 },
    ];
    const { body: made } = await app.experiment({ arms });
    await app.onExperiment(made.id, 'PATCH', { status: 'running' });
    const [first, second] = made.arms.map(({ id }: { id: string }) => id);
    await app.create({
      key: 'text',
      type: 'string',
      variants: ['a', 'b', 'none'].map((name) => ({ name, value: name })),
      defaultVariant: 'none',
      isOn: true,
      rules: [{ experiment: made.id, variations: { [first]: 'a', [second]: 'b' } }],
    });
    const given = { url, flagKey: app.flagKey };
    const said = await inPage((page) => page.evaluate((one) => globalThis.watch(one), given));
    expect(said.statuses).toEqual([200, 304]);
    const [shown = ''] = said.values;
    expect(said.values).toEqual([shown, shown]);
    expect(['a', 'b']).toContain(shown);
    expect(exposed).toHaveLength(1);
    const [event] = JSON.parse(exposed[0] ?? '').events;
    const arm = shown === 'a' ? first : second;
    expect(event).toMatchObject({
      name: '$exposure',
      anonymousId: 'person-in-page',
      props: { experiment: made.id, arm },
    });
    service.deps.events.append = append;
  },
);
