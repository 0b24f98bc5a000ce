import { afterAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep } from '../../../src/shared/time.ts';
import { startIngestServer } from '../../support/clients/ingest-server.ts';
import { buildKotlin, findKotlin, startAnswering } from '../../support/clients/kotlin.ts';
import { until } from '../../support/until.ts';

setDefaultTimeout(300_000);

const kotlin = findKotlin();
const jar = kotlin ? await buildKotlin(kotlin) : '';
const FOREVER_MS = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'modules-'));

type Asked = { path: string; key: string | null; known: string | null; context?: unknown };
let asked: Asked[] = [];
let answer = (): Response => new Response('down', { status: 503 });
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => {
    const { pathname, search } = new URL(request.url);
    const { headers } = request;
    asked.push({
      path: `${pathname}${search}`,
      key: headers.get('x-service-key') ?? headers.get('authorization'),
      known: headers.get('if-none-match'),
      ...(request.method === 'POST' && ((await request.json()) as { context: unknown })),
    });
    return answer();
  },
});
const url = server.url.origin;
const down = () => new Response('down', { status: 503 });
beforeEach(() => {
  asked = [];
});

const programs = kotlin
  ? ['purchases.AskPurchases', 'flags.ReadFlags', 'android.ShowActivities'].map((main) =>
      startAnswering(kotlin, jar, `controlplane.${main}`),
    )
  : [];
afterAll(async () => {
  for (const program of programs) program.stop();
  await server.stop(true);
  rmSync(folder, { recursive: true });
});
const ask = (n: number) => (line: string) => programs[n]?.ask(line) ?? Promise.resolve('');
const purchases = ask(0);
const flags = ask(1);
const android = ask(2);

test.skipIf(!kotlin)('`pro` is kept for its person and for a time', async () => {
  const pro = (userId: string, longestAgeMs: number) =>
    purchases(`pro ${url} ${folder}/pro ${userId} ${longestAgeMs}`);
  answer = () => Response.json({ entitled: true, status: 'active', productId: 'pro.yearly' });
  expect(await pro('user+1', 0)).toBe('true active pro.yearly false');
  expect(asked).toEqual([
    {
      path: '/v1/purchases/entitlement?userId=user%2B1&anonymousId=anon-0001&entitlement=pro',
      ...{ key: 'svp_test', known: null },
    },
  ]);
  for (const no of [down, () => new Response('a captive portal'), () => Response.json([])]) {
    answer = no;
    expect(await pro('user+1', FOREVER_MS)).toBe('true active pro.yearly true');
    expect(await pro('user+1', 0)).toBe('null');
    expect(await pro('user-2', FOREVER_MS)).toBe('null');
  }
});

test.skipIf(!kotlin)('a purchase of Google Play is handed over by its token', async () => {
  const bought = () => purchases(`bought ${url} ${folder}/bought user+1 0`);
  answer = () => Response.json({ entitled: true, status: 'active', productId: 'pro.play' });
  expect(await bought()).toBe('true active pro.play');
  const purchaseToken = 'token-1';
  const who = { userId: 'user+1', anonymousId: 'anon-0001' };
  expect(asked).toEqual([
    {
      ...{ path: '/v1/purchases/verify', key: 'svp_test', known: null },
      ...{ store: 'google_play', purchaseToken, ...who, offering: 'spring' },
    } as Asked,
  ]);
  for (const no of [down, () => new Response('a captive portal'), () => Response.json([])]) {
    answer = no;
    expect(await bought()).toBe('null');
  }
});

const OFFERINGS = {
  current: 'spring',
  offerings: [
    {
      ...{ identifier: 'spring', name: 'Spring', metadata: { title: 'Hi' } },
      packages: [{ identifier: 'yearly', productIds: ['pro.yearly', 'pro.play'] }],
    },
    { identifier: 'plain', name: 'Plain', packages: [] },
  ],
  chosenBy: { flag: 'offer', variant: 'spring', reason: 'SPLIT' },
};

test.skipIf(!kotlin)('offerings are asked for by their ETag and kept for a time', async () => {
  const told = (age: boolean) => `Spring [pro.yearly, pro.play] {title=Hi} 2 spring ${age}`;
  const offerings = (id: string, longestAgeMs: number, question = 'offerings') =>
    purchases(`${question} ${url} ${folder}/offered ${id} ${longestAgeMs}`);
  answer = () => Response.json(OFFERINGS, { headers: { etag: '"one"' } });
  expect(await offerings('anon-0001', FOREVER_MS)).toBe(told(false));
  answer = () => new Response(null, { status: 304, headers: { etag: '"one"' } });
  expect(await offerings('anon-0001', FOREVER_MS, 'shown')).toBe(told(false));
  const path = '/v1/purchases/offerings?platform=android&anonymousId=anon-0001';
  expect(asked.map((one) => [one.path, one.known])).toEqual([
    [path, null],
    [`${path}&shown=true`, '"one"'],
  ]);
  answer = down;
  expect(await offerings('anon-0001', FOREVER_MS)).toBe(told(true));
  expect(await offerings('anon-0001', 0)).toBe('null');
  expect(await offerings('anon-0002', FOREVER_MS)).toBe('null');
});

const told = (values: Record<string, unknown>, metadata?: object) => () =>
  Response.json(
    { flags: Object.entries(values).map(([key, value]) => ({ key, value, metadata })) },
    { headers: { etag: `"${Object.values(values)}"` } },
  );
const openFlags = (person: string, key = 'svf_test', address = url) =>
  flags(`open ${key} ${address} ${folder}/flags ${person}`);

test.skipIf(!kotlin)('values are those of the service, each of the fallback’s type', async () => {
  answer = told({ on: true, text: 'Hi', size: 2, part: 2.5, price: { eur: 5 } });
  expect(await openFlags('person-0001')).toBe('[]');
  expect(asked).toEqual([
    {
      path: '/v1/ofrep/v1/evaluate/flags',
      ...{ key: 'Bearer svf_test', known: null },
      context: { platform: 'android', targetingKey: 'person-0001', flagsRead: [] },
    },
  ]);
  for (const [line, value] of [
    ['boolean on false', 'true'],
    ['text text none', 'Hi'],
    ['text on none', 'none'],
    ['int size 0', '2'],
    ['long size 0', '2'],
    ['double size 0', '2.0'],
    ['int part 4', '4'],
    ['double part 0', '2.5'],
    ['map price', '{eur=5}'],
    ['map text', '{mine=true}'],
    ['text old none', 'x'],
    ['int oldSize 0', '7'],
    ['text unknown mine', 'mine'],
  ] as const) {
    expect([line, await flags(line)]).toEqual([line, value]);
  }
});

test.skipIf(!kotlin)(
  'flags that were read are said once; nothing changed is no new answer',
  async () => {
    answer = told({ text: 'a' });
    await openFlags('person-0001');
    await flags('changes');
    await flags('text text none');
    answer = () => new Response(null, { status: 304 });
    expect(await flags('refresh')).toBe('true');
    expect(await flags('refresh')).toBe('true');
    answer = told({ text: 'b' });
    expect(await flags('refresh')).toBe('true');
    expect([await flags('text text none'), await flags('changes')]).toEqual(['b', '1']);
    const said = asked.slice(1).map(({ known, context }) => [known, context]);
    const context = { platform: 'android', targetingKey: 'person-0001' };
    expect(said).toEqual([
      ['"a"', { ...context, flagsRead: ['text'] }],
      ['"a"', { ...context, flagsRead: [] }],
      ['"a"', { ...context, flagsRead: [] }],
    ]);
  },
);

test.skipIf(!kotlin)('the last answer holds offline, for its person only', async () => {
  answer = told({ text: 'kept' });
  await openFlags('person-0001');
  answer = down;
  expect(await openFlags('person-0001')).toBe('[503 down]');
  expect(await flags('text text none')).toBe('kept');
  expect(await flags('use person-0002 pro')).toBe('false');
  expect(await flags('text text none')).toBe('none');
  expect(asked.at(-1)?.context).toMatchObject({ targetingKey: 'person-0002', plan: 'pro' });
  expect(await flags('use person-0001 pro')).toBe('false');
  expect(await flags('text text none')).toBe('kept');
});

test.skipIf(!kotlin)('a wrong key or address asks nobody; a page is no answer', async () => {
  answer = () => new Response('a captive portal');
  expect(await openFlags('person-0003', 'svp_test')).toContain('no flag key');
  expect(await openFlags('person-0003', 'svf_test', `${url}/v1`)).toContain('without /v1');
  expect(await flags('refresh')).toBe('false');
  expect(asked).toEqual([]);
  expect(await openFlags('person-0003')).toBe('[200 a captive portal]');
});

test.skipIf(!kotlin)('an arm that is shown is said once, and again after a failure', async () => {
  const singles = () => asked.filter(({ path }) => !path.endsWith('/flags'));
  const arm = told({ 'new.text': 'a' }, { experiment: 'exp_1' });
  answer = arm;
  await openFlags('person-0001');
  expect(await flags('int new.text 5')).toBe('5');
  expect(await flags('ready')).toBe('true');
  expect(singles()).toEqual([]);
  answer = down;
  for (let times = 0; times < 3; times += 1) expect(await flags('text new.text none')).toBe('a');
  await flags('ready');
  expect(singles()).toEqual([
    {
      path: '/v1/ofrep/v1/evaluate/flags/new.text',
      ...{ key: 'Bearer svf_test', known: null },
      context: { platform: 'android', targetingKey: 'person-0001' },
    },
  ]);
  answer = arm;
  await flags('refresh');
  await flags('ready');
  expect(singles()).toHaveLength(2);
  await flags('refresh');
  await flags('use person-0002 pro');
  await flags('text new.text none');
  await flags('ready');
  expect(singles()).toHaveLength(3);
  expect(singles()[2]?.context).toMatchObject({ targetingKey: 'person-0002' });
});

const hasJavac = Boolean(Bun.which('javac'));
test.skipIf(!kotlin || !hasJavac)(
  'an Android app sends when its last activity is hidden',
  async () => {
    const ingest = await startIngestServer();
    try {
      const kept = join(folder, 'no-backup');
      expect(await android(`start ${ingest.url} ${kept}`)).toBe(`${kept}/control-plane`);
      await android('started');
      await android('track app_opened');
      await android('rotated');
      await android('started');
      await android('stopped');
      await sleep(300);
      expect(ingest.names()).toEqual([]);
      await android('stopped');
      await until('it is sent', () => ingest.names().length > 0);
      expect(ingest.names()).toEqual(['app_opened']);
      const context = { platform: 'android', osVersion: '14', appVersion: '1.4.0' };
      expect(ingest.received[0]?.batch.context).toMatchObject(context);
    } finally {
      ingest.stop();
    }
  },
);
