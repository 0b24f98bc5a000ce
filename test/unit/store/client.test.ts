import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { createStoreClient } from '../../../src/providers/store/client.ts';
import { StoreFault, type StoreFaultKind } from '../../../src/providers/store/port.ts';
import { salesReader } from '../../../src/providers/store/report/sales.ts';
import { simulatedApps } from '../../simulators/store/account.ts';
import { makeKey } from '../../simulators/store/auth.ts';
import { type StoreSimulator, startStoreSimulator } from '../../simulators/store/server.ts';
import { openGate } from '../../support/open-gate.ts';
import { readWhole, textOfReport } from '../../support/reports.ts';

const NOW = new Date('2026-03-10T18:00:00Z');
const DAY = '2026-03-08';
let store: StoreSimulator;
const client = () =>
  createStoreClient({
    baseUrl: store.url,
    clock: () => NOW,
    gate: (_keyId, request) => request(),
    limits: openGate,
    timeoutMs: 2_000,
  });
const key = () => store.account.keys[0]!;
const ask = (change: Partial<Parameters<ReturnType<typeof client>['dailyReport']>[1]> = {}) =>
  client().dailyReport(key(), {
    vendorNumber: store.account.vendorNumber,
    reportType: 'SALES',
    day: DAY,
    version: '1_0',
    ...change,
  });
async function faultOf(work: Promise<unknown>): Promise<StoreFaultKind | null> {
  try {
    await work;
    return null;
  } catch (thrown) {
    if (thrown instanceof StoreFault) return thrown.kind;
    throw thrown;
  }
}

beforeAll(async () => {
  store = await startStoreSimulator({ seed: 7, now: () => NOW });
});
afterAll(() => store.stop());
afterEach(() => {
  store.faults.clear();
  store.account.days.clear();
  store.account.trouble.clear();
  store.account.versions = { SALES: '1_0', SUBSCRIPTION_EVENT: '1_3', SUBSCRIPTION: '1_4' };
  store.account.pageSize = 200;
  store.account.delayMs = undefined;
  store.account.buildsAllowed = true;
});

describe('the key', () => {
  test('a good one passes', async () => {
    expect(await faultOf(client().checkKey(key()))).toBeNull();
  });

  test.each([
    ['credentials', () => ({ ...key(), keyId: 'NOTTHERE00' })],
    ['credentials', () => ({ ...key(), privateKey: makeKey('a', 'b').privateKey })],
    ['credentials', () => ({ ...key(), privateKey: 'not a key' })],
  ] as const)('%s', async (kind, wrong) => {
    expect(await faultOf(client().checkKey(wrong()))).toBe(kind);
  });

  test.each([
    ['revoked', 'credentials'],
    ['agreement', 'agreement'],
    ['rate_limited', 'rate_limited'],
    ['role', 'role'],
  ] as const)('%s is %s', async (trouble, kind) => {
    store.account.trouble.set(key().keyId, trouble);
    expect(await faultOf(ask())).toBe(kind);
  });

  test('a key without the role can still list apps', async () => {
    store.account.trouble.set(key().keyId, 'role');
    expect(await client().listApps(key())).not.toBeEmpty();
  });
});

describe('apps', () => {
  test('every page is read', async () => {
    store.account.pageSize = 2;
    const apps = await client().listApps(key());
    expect(apps.map(({ storeAppId }) => storeAppId)).toEqual(
      store.account.apps.map(({ id }) => id),
    );
    expect(apps[0]).toMatchObject({ bundleId: 'com.example.focustimer', name: 'Focus Timer' });
  });

  test('the token is never carried to another host', async () => {
    const elsewhere = await startStoreSimulator({ seed: 8, now: () => NOW });
    store.faults.next({
      kind: 'body',
      body: JSON.stringify({ data: [], links: { next: `${elsewhere.url}/v1/apps?cursor=2` } }),
    });
    expect(await faultOf(client().listApps(key()))).toBe('protocol');
    store.faults.next({ kind: 'status', status: 302, headers: { location: `${elsewhere.url}/` } });
    expect(await faultOf(client().listApps(key()))).toBe('protocol');
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.stop();
  });

  test('states, versions and icons', async () => {
    const [app] = store.account.apps;
    expect(await client().appStatus(key(), app!.id)).toMatchObject({
      state: 'live',
      version: '1.4',
    });
    expect(await client().appIcon(key(), app!.id)).toContain('512x512bb.png');
    expect(await faultOf(client().appStatus(key(), '1'))).toBe('not_found');
  });

  test('an icon that the role may not see is no fault', async () => {
    store.account.buildsAllowed = false;
    expect(await client().appIcon(key(), store.account.apps[0]!.id)).toBeNull();
  });
});

describe('reports', () => {
  test('a day comes unpacked, with what is left of the hour', async () => {
    const answer = await ask();
    expect(answer).toMatchObject({ kind: 'report', version: '1_0', requests: 1 });
    expect(answer.remainingInHour).toBeGreaterThan(3000);
    if (answer.kind !== 'report') throw new Error('no report');
    const text = await textOfReport(answer.report.raw);
    const rows = readWhole(salesReader(DAY), text);
    expect(rows.length).toBeGreaterThan(10);
    const facts: unknown[][] = [];
    for await (const some of answer.report.facts()) facts.push(some);
    expect(facts.flat()).toEqual(rows);
    const hash = new Bun.CryptoHasher('sha256').update(text).digest('hex');
    expect(await answer.report.contentHash()).toBe(hash);
    expect([...answer.report.raw.subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  });

  test.each([
    ['no_sales', 'no_sales'],
    ['not_yet', 'not_yet'],
    ['unclear', 'unclear'],
    ['gone', 'gone'],
    ['header_only', 'report'],
  ] as const)('%s', async (special, kind) => {
    store.account.days.set(`SALES ${DAY}`, special);
    expect((await ask()).kind).toBe(kind);
  });

  test('today is not there yet, and last year is gone', async () => {
    expect((await ask({ day: '2026-03-10' })).kind).toBe('not_yet');
    expect((await ask({ day: '2025-01-01' })).kind).toBe('gone');
  });

  test('a version that the store no longer takes is found out in one more request', async () => {
    store.account.versions.SALES = '1_1';
    expect(await ask()).toMatchObject({ kind: 'report', version: '1_1', requests: 2 });
    store.account.versions.SALES = '1_0';
    expect(await ask({ version: '1_1' })).toMatchObject({ version: '1_0', requests: 2 });
  });

  test('when the named version does not work either, none is named', async () => {
    const refusal = {
      kind: 'status',
      status: 400,
      body: JSON.stringify({
        errors: [
          {
            status: '400',
            code: 'PARAMETER_ERROR.INVALID',
            title: 'A parameter has an invalid value',
            detail: 'The latest version for this report is 1_9.',
            source: { parameter: 'filter[version]' },
          },
        ],
      }),
    } as const;
    store.faults.next(refusal, { times: 2 });
    expect(await ask()).toMatchObject({ kind: 'report', version: null, requests: 3 });
    store.faults.next(refusal, { times: 9 });
    expect(await faultOf(ask())).toBe('protocol');
  });

  test('a wrong vendor number is told from one that nobody has', async () => {
    expect(await faultOf(ask({ vendorNumber: '80099999' }))).toBe('vendor');
    expect(await faultOf(ask({ vendorNumber: '12345' }))).toBe('unexpected');
  });

  test('both reports are read', async () => {
    const answer = await ask({ reportType: 'SUBSCRIPTION_EVENT', version: '1_3' });
    expect(answer).toMatchObject({ kind: 'report', version: '1_3' });
  });
});

describe('a store in trouble', () => {
  test.each([
    [{ kind: 'status', status: 503, body: '<html>oops</html>' }, 'unavailable'],
    [{ kind: 'hang_up' }, 'unavailable'],
    [{ kind: 'cut' }, 'unavailable'],
    [{ kind: 'silent' }, 'unavailable'],
    [{ kind: 'status', status: 429 }, 'rate_limited'],
  ] as const)('%o is %s', async (fault, kind) => {
    // The runtime asks once more by itself when a kept connection closes.
    store.faults.next(fault, { times: 3 });
    expect(await faultOf(ask())).toBe(kind);
  });

  test('an apps page that is none is not understood', async () => {
    store.faults.next({ kind: 'body', body: '{"data": "apps"}' });
    expect(await faultOf(client().listApps(key()))).toBe('protocol');
  });

  test('a 429 says how long to wait, or nothing', async () => {
    store.account.trouble.set(key().keyId, 'rate_limited');
    await ask().catch((fault: StoreFault) => expect(fault.retryAfterSeconds).toBe(30));
    store.account.retryAfterSeconds = null;
    await ask().catch((fault: StoreFault) => expect(fault.retryAfterSeconds).toBeUndefined());
  });
});

describe('the simulated account', () => {
  test('is the same for the same seed and different for another', () => {
    expect(simulatedApps(3)).toEqual(simulatedApps(3));
    expect(simulatedApps(3)[0]?.id).not.toBe(simulatedApps(4)[0]?.id);
  });
});

test('versions beyond the first page are read too', async () => {
  const version = (index: number, appVersionState: string) => ({
    type: 'appStoreVersions',
    id: `v${index}`,
    attributes: {
      platform: 'IOS',
      versionString: `1.${index}`,
      appVersionState,
      createdDate: new Date(Date.UTC(2024, 0, index)).toISOString(),
    },
  });
  const old = Array.from({ length: 50 }, (_, index) => version(index, 'REPLACED_WITH_NEW_VERSION'));
  const server = Bun.serve({
    port: 0,
    fetch: ({ url }) => {
      const isSecond = new URL(url).searchParams.has('cursor');
      const next = isSecond ? {} : { next: `${url}&cursor=50` };
      const data = isSecond ? [version(50, 'READY_FOR_DISTRIBUTION')] : old;
      return Response.json({ data, links: { self: url, ...next } });
    },
  });
  const paged = createStoreClient({
    baseUrl: server.url.origin,
    clock: () => NOW,
    gate: (_keyId, request) => request(),
    limits: openGate,
  });
  const { state, version: live, releases } = await paged.appStatus(key(), '900');
  await server.stop(true);
  expect([state, live, releases.length]).toEqual(['live', '1.50', 51]);
});
