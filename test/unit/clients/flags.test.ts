import { afterAll, afterEach, expect, test } from 'bun:test';
import { bundle } from '../../../clients/pack.ts';
import type { AskError } from '../../../clients/web/src/ask-types.ts';
import { createFlags, type FlagsOptions } from '../../../clients/web/src/flags.ts';
import { inReactNative } from '../../support/clients/react-native.ts';
import { until } from '../../support/until.ts';

type Asked = { path: string; key: string | null; known: string | null; context: any };
const asked: Asked[] = [];
let answer = (): Response | Promise<Response> => flags({});
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => {
    asked.push({
      path: `${request.method} ${new URL(request.url).pathname}`,
      key: request.headers.get('authorization'),
      known: request.headers.get('if-none-match'),
      context: ((await request.json()) as { context: unknown }).context,
    });
    return answer();
  },
});
afterAll(() => server.stop(true));

function flags(values: Record<string, unknown>): Response {
  const list = Object.entries(values).map(([key, value]) => ({ key, value, reason: 'STATIC' }));
  return Response.json({ flags: list }, { headers: { etag: `"${JSON.stringify(values)}"` } });
}

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  asked.length = 0;
  answer = () => flags({});
});
function open(options: Partial<FlagsOptions> = {}) {
  const made = createFlags({
    key: ' svf_test ',
    url: `${server.url.origin}/`,
    person: 'person-0001',
    refreshMs: 0,
    ...options,
  });
  stops.push(made.stop);
  return made;
}

function memory(text: string | null = null) {
  let kept = text;
  return {
    kept: () => kept,
    getItem: () => Promise.resolve(kept),
    setItem: (_: string, value: string) => {
      kept = value;
      return Promise.resolve();
    },
  };
}

test('values are those of the service, each of the fallback’s type', async () => {
  answer = () => flags({ on: true, text: 'Hi', size: 2, price: { eur: 5 }, list: [1] });
  const made = open({ context: { platform: 'ios', appVersion: '1.4.0' }, defaults: { old: 'x' } });
  expect(made.flag('on', false)).toBe(false);
  await made.ready;
  expect(made.flag('on', false)).toBe(true);
  expect(made.flag('text', '')).toBe('Hi');
  expect(made.flag('size', 0)).toBe(2);
  expect(made.flag('price', {} as object)).toEqual({ eur: 5 });
  expect(made.flag('size', 'medium')).toBe('medium');
  expect(made.flag('list', { none: true })).toEqual({ none: true });
  expect(made.flag('old', '')).toBe('x');
  expect(made.flag('old', 5)).toBe(5);
  expect(made.flag('unknown', 'mine')).toBe('mine');
  expect(asked).toEqual([
    {
      path: 'POST /v1/ofrep/v1/evaluate/flags',
      key: 'Bearer svf_test',
      known: null,
      context: {
        platform: 'ios',
        appVersion: '1.4.0',
        targetingKey: 'person-0001',
        flagsRead: ['on'],
      },
    },
  ]);
});

test('the last answer is kept offline, for its person only', async () => {
  const storage = memory();
  answer = () => flags({ text: 'kept' });
  await open({ storage }).ready;
  answer = () => new Response('down', { status: 503 });
  const later = open({ storage });
  await later.ready;
  expect(later.flag('text', '')).toBe('kept');
  const other = open({ storage, person: 'person-0002' });
  await other.ready;
  expect(other.flag('text', 'mine')).toBe('mine');
  const broken = open({ storage: memory('{') });
  await broken.ready;
  expect(broken.flag('text', 'mine')).toBe('mine');
});

test('what was read is said once, and an unchanged answer is not sent again', async () => {
  answer = () => flags({ text: 'a' });
  const made = open();
  await made.ready;
  let changes = 0;
  const end = made.onChange(() => {
    changes += 1;
  });
  made.flag('text', '');
  answer = () => new Response(null, { status: 304 });
  expect(await made.refresh()).toBe(true);
  expect(await made.refresh()).toBe(true);
  expect(made.flag('text', '')).toBe('a');
  expect(asked.map(({ known, context }) => [known, context.flagsRead])).toEqual([
    [null, []],
    ['"{"text":"a"}"', ['text']],
    ['"{"text":"a"}"', []],
  ]);
  answer = () => flags({ text: 'b' });
  await made.refresh();
  expect([made.flag('text', ''), changes]).toEqual(['b', 1]);
  end();
});

test('another person never sees what the earlier one was given', async () => {
  answer = () => flags({ text: 'first' });
  const made = open();
  await made.ready;
  const late = Promise.withResolvers<Response>();
  answer = () => late.promise;
  const slow = made.refresh();
  answer = () => flags({ text: 'second' });
  await made.use('person-0002', { plan: 'pro' });
  late.resolve(flags({ text: 'late' }));
  await slow;
  expect(made.flag('text', '')).toBe('second');
  answer = () => new Response('', { status: 500 });
  await made.use('person-0003');
  expect(made.flag('text', 'fallback')).toBe('fallback');
  expect(asked.at(-1)?.context).toMatchObject({ targetingKey: 'person-0003', plan: 'pro' });
});

test('a wrong key or address asks nobody and says so; a refusal is told', async () => {
  const errors: AskError[] = [];
  const onError = (error: AskError) => errors.push(error);
  const wrong = [
    open({ key: 'svp_test', onError }),
    open({ url: 'https://host.example/v1', onError }),
  ];
  for (const one of wrong) {
    await one.ready;
    expect(await one.refresh()).toBe(false);
    expect(one.flag('x', 'mine')).toBe('mine');
  }
  expect(asked).toEqual([]);
  answer = () => Response.json({ error: { code: 'invalid_service_key' } }, { status: 401 });
  await open({ onError }).ready;
  answer = () => Response.json('a captive portal');
  await open({ onError }).ready;
  expect(errors.map(({ code, status }) => [code, status])).toEqual([
    ['invalid_options', undefined],
    ['invalid_options', undefined],
    ['refused', 401],
    ['refused', 200],
  ]);
});

test('an arm that is shown is said once for each person, and again after a failure', async () => {
  const ofExperiment = (values: Record<string, unknown>) =>
    Response.json({
      flags: Object.entries(values).map(([key, value]) => ({
        ...{ key, value, reason: 'SPLIT', metadata: { experiment: 'exp_1', arm: 'arm_1' } },
      })),
    });
  const singles = () => asked.filter(({ path }) => !path.endsWith('/flags'));
  answer = () => ofExperiment({ 'new.text': 'a', unread: 'b' });
  const made = open({ context: { platform: 'ios' } });
  await made.ready;
  expect(singles()).toEqual([]);
  // Not of the fallback's type: the app shows something else.
  expect(made.flag('new.text', 5)).toBe(5);
  const down = Promise.withResolvers<Response>();
  answer = () => down.promise;
  for (let times = 0; times < 3; times += 1) expect(made.flag('new.text', '')).toBe('a');
  await until('it is said', () => singles().length === 1);
  expect(singles()).toEqual([
    {
      path: 'POST /v1/ofrep/v1/evaluate/flags/new.text',
      key: 'Bearer svf_test',
      known: null,
      context: { platform: 'ios', targetingKey: 'person-0001' },
    },
  ]);
  down.resolve(new Response('down', { status: 503 }));
  answer = () => ofExperiment({ 'new.text': 'a' });
  await until('it is said again', async () => {
    await made.refresh();
    return singles().length === 2;
  });
  await made.refresh();
  made.flag('new.text', '');
  expect(asked.flatMap(({ context }) => context.flagsRead ?? [])).toEqual(['new.text']);
  await made.use('person-0002');
  made.flag('new.text', '');
  await until('the other person is said', () => singles().length === 3);
  expect(singles()[2]?.context.targetingKey).toBe('person-0002');
});

test('works in React Native', async () => {
  answer = () => flags({ on: true });
  const value = await inReactNative(async () => {
    const made = open({ storage: memory() });
    await made.ready;
    return made.flag('on', false);
  });
  expect(value).toBe(true);
});

test('the event client carries nothing of it', async () => {
  for (const entry of ['index.ts', 'script.ts', 'react-native.ts']) {
    expect(await bundle('web', entry)).not.toContain('ofrep');
  }
});
