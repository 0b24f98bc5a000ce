import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  changed,
  isOutdatedBy,
  noticing,
  noting,
  type Part,
} from '../../../src/console/state/changes.ts';

const HOST = 'https://control.example.com';
const send = noticing(
  async (url) => new Response(null, { status: url.endsWith('/no') ? 403 : 200 }),
);
const ask = (method: string, path: string) => send(`${HOST}${path}`, { method });

beforeEach(() => {
  changed.value = null;
});

describe('what a change of the service outdates', () => {
  test.each([
    ['PATCH', '/v1/apps/app_1/flags/flag_1', '/v1/apps/app_1/flags', 'flag_1'],
    ['POST', '/v1/webhooks/wh_1/test', '/v1/webhooks', 'wh_1'],
    ['POST', '/v1/apps/app_1/purchases/grants/grant_1', '/v1/apps/app_1/purchases', ''],
    ['POST', '/v1/apps/app_1/preview', '/v1/apps/app_1/preview', ''],
    ['DELETE', '/v1/apps/app_1', '/v1/apps', ''],
    ['POST', '/v1/apps/import', '/v1/apps', ''],
    ['POST', '/v1/auth/organization/remove-member', '/v1/auth', ''],
    ['PUT', '/v1/digests', '/v1/digests', ''],
  ])('%s %s is one of %s', async (method, path, part, item) => {
    await ask(method, path);
    expect(changed.value).toEqual({ part, ...(item && { item }) });
  });

  test.each([
    ['GET', '/v1/apps/app_1/flags'],
    ['POST', '/v1/apps/app_1/questions/answer'],
    ['POST', '/v1/apps/app_1/segments/preview'],
    ['POST', '/v1/sql'],
    ['DELETE', '/v1/organization'],
    ['PATCH', '/v1/apps/app_1/no'],
  ])('%s %s outdates nothing', async (method, path) => {
    await ask(method, path);
    expect(changed.value).toBeNull();
  });

  test('a fetch is noted with the parts that it reads', async () => {
    const parts = new Map<string, Part>();
    await noting(parts, () =>
      Promise.all([
        ask('GET', '/v1/apps/app_1/flags/flag_1/versions'),
        ask('GET', '/v1/webhooks?limit=2'),
        ask('POST', '/v1/sql'),
      ]),
    );
    await ask('GET', '/v1/apps');
    expect([...parts.values()]).toEqual([
      { part: '/v1/apps/app_1/flags', item: 'flag_1' },
      { part: '/v1/webhooks' },
    ]);
  });

  test('a changed thing outdates lists and itself, not its neighbours', () => {
    const part = '/v1/webhooks';
    const [one, other] = [
      { part, item: 'wh_1' },
      { part, item: 'wh_2' },
    ];
    expect([one, { part }, other].map((read) => isOutdatedBy(one, read))).toEqual([
      true,
      true,
      false,
    ]);
    expect([one, { part: '/v1/logs' }].map((read) => isOutdatedBy({ part }, read))).toEqual([
      ...[true, false],
    ]);
  });
});

const { document: before } = globalThis;
Object.assign(globalThis, { document: new EventTarget(), location: new URL(HOST) });
const { entryOf, show } = await import('../../../src/console/state/query.ts');
afterAll(() => {
  globalThis.document = before;
});

test('what is drawn is fetched again after a change, also once its key is dropped', async () => {
  const MORE_THAN_ARE_KEPT = 250;
  const asked: string[] = [];
  const drawn = (key: string, path: string) => {
    const entry = entryOf(key);
    const fetch = () =>
      noting(entry.parts, async () => {
        asked.push(key);
        await ask('GET', path);
      });
    return show(entry, fetch, undefined);
  };
  const leave = [
    drawn('webhook', '/v1/webhooks/wh_1'),
    drawn('neighbour', '/v1/webhooks/wh_2'),
    drawn('logs', '/v1/logs'),
  ];
  for (let index = 0; index < MORE_THAN_ARE_KEPT; index += 1) entryOf(String(index));
  asked.length = 0;
  await ask('POST', '/v1/webhooks/wh_1/test');
  expect(asked).toEqual(['webhook']);
  for (const one of leave) one();
  await ask('POST', '/v1/webhooks/wh_1/test');
  expect(asked).toEqual(['webhook']);
});
