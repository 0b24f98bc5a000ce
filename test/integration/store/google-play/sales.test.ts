import { expect, test } from 'bun:test';
import { testDatabase } from '../../../support/postgres.ts';
import {
  earningsZip,
  type Earning,
  installsCsv,
  type Order,
  REPORTS_ACCOUNT,
  salesZip,
  startPlayReportsService,
  utf16,
} from '../../../support/play-reports.ts';
import { zipOf } from '../../../support/zip.ts';

const DAY_MS = 86_400_000;
const service = await startPlayReportsService(await testDatabase(), '2026-11-20T12:00:00Z');
const { account, ask, call, clock, connect, readNow, reports } = service;
const at = (time: string) => {
  clock.now = Date.parse(time);
};

const ORDER: Order = {
  id: 'GPA.1',
  at: '2026-11-03T10:00:00Z',
  package: 'com.example.focus',
  sku: 'pro',
  type: 'subscription',
  country: 'DE',
  currency: 'EUR',
  price: '8.40',
  charged: '9.99',
};
const WINDOW = 'store=google_play&from=2026-11-01&to=2026-11-19&currency=EUR';

async function sold(orders: readonly Order[], month = '2026-11') {
  const made = await account();
  const name = `sales/salesreport_${month.replace('-', '')}.zip`;
  const write = (all: readonly Order[], updatedAt = new Date(clock.now)) =>
    reports.write(made.bucket, name, salesZip(month, all), updatedAt);
  write(orders);
  await connect(made);
  await readNow(made.org);
  return { ...made, write };
}

test('a bucket that does not exist, a key without the permission: refused, with the place', async () => {
  const { org, bucket } = await account();
  const put = (body: object) =>
    call('/v1/store/google-play', { method: 'PUT', headers: org.key, body });
  const serviceAccount = REPORTS_ACCOUNT;
  const unknown = await put({ bucket: 'gs://pubsite_prod_nowhere/', serviceAccount });
  expect(unknown.status).toBe(400);
  expect(unknown.body.error.hint).toStartWith('bucket: Google has no such bucket');
  reports.setPermission(false);
  const forbidden = await put({ bucket, serviceAccount });
  reports.setPermission(true);
  expect([forbidden.status, forbidden.body.error.code]).toEqual([403, 'store_role_missing']);
  expect(forbidden.body.error.hint).toContain('download bulk reports');
  const none = await call('/v1/store/google-play', { headers: org.key });
  expect(none.body).toBe(null);
  expect((await put({ bucket, serviceAccount: '{}' })).status).toBe(400);
});

test('estimated sales by their UTC days: units, refunds, spend and proceeds less the fee', async () => {
  at('2026-11-20T12:00:00Z');
  const { org } = await sold([
    ORDER,
    { ...ORDER, id: 'GPA.2', at: '2026-11-03T23:59:59Z', price: '1,084.00', charged: '1,290.00' },
    { ...ORDER, id: 'GPA.3', type: 'inapp', sku: 'coins', price: '10', charged: '10' },
    {
      ...ORDER,
      id: 'GPA.4',
      type: 'inapp',
      sku: 'coins',
      price: '10',
      charged: '10',
      eligible: true,
    },
    // Google signs refunds or not.
    { ...ORDER, id: 'GPA.1', at: '2026-11-05T00:00:00Z', status: 'Refund' },
    {
      ...ORDER,
      id: 'GPA.2',
      at: '2026-11-05T01:00:00Z',
      status: 'Partial refund',
      price: '-4',
      charged: '-4',
    },
    { ...ORDER, id: 'GPA.9', status: 'Cancelled' },
  ]);
  const read = await ask(org, WINDOW);
  expect(read.totals).toMatchObject({
    subscriptionUnits: 2,
    iapUnits: 2,
    refunds: 1,
    customerSpendMinor: 999 + 129_000 + 1_000 + 1_000 - 999 - 400,
    // (8.40 + 1084 − 8.40 − 4) × 0.85 + 10 × 0.7 + 10 × 0.85, each day's own.
    proceedsMinor: 92_854 + 700 + 850 - 714 - 340,
  });
  expect(read.googlePlay).toEqual({
    timeZone: 'UTC',
    earningsThrough: null,
    installsThrough: null,
  });
  const days = new Map(read.series.map((day: { day: string }) => [day.day, day]));
  expect(days.get('2026-11-03')).toMatchObject({ covered: true, subscriptionUnits: 2 });
  expect(days.get('2026-11-05')).toMatchObject({ covered: true, refunds: 1 });
  // The file was written more than a week after this day, and not yet after that one.
  expect(days.get('2026-11-13')).toMatchObject({ covered: true });
  expect(days.get('2026-11-14')).toMatchObject({ covered: false });
  expect(read.freshness).toMatchObject({
    yesterday: '2026-11-19',
    state: 'awaiting',
    coveredThrough: '2026-11-13',
    daysBehind: 6,
    lastError: null,
    publishExpectedBy: '2026-11-26T00:00:00Z',
  });
  expect(read.byApp).toMatchObject([
    { storeAppId: 'com.example.focus', name: 'com.example.focus' },
  ]);
  expect(read.products.map(({ sku }: { sku: string }) => sku)).toEqual(['pro', 'coins']);
});

test('the question without a store is answered as before, byte for byte', async () => {
  const { org } = await account();
  const text = async (query: string) =>
    (await call(`/v1/analytics?${query}`, { headers: org.key })).text;
  const before = await text('days=30');
  const both = await sold([ORDER]);
  const connected = await call('/v1/analytics?days=30', { headers: both.org.key });
  expect(connected.text).toBe(before);
  expect(before).not.toContain('googlePlay');
});

const EARNED: Earning = {
  id: 'GPA.1',
  date: 'Nov 3, 2026',
  time: '2:00:00 AM PST',
  type: 'Charge',
  package: 'com.example.focus',
  sku: 'pro',
  productType: 'subscription',
  country: 'DE',
  currency: 'EUR',
  amount: '8.40',
};
const FEE: Earning = { ...EARNED, type: 'Google fee', amount: '-1.26' };

test('earnings take the place of the estimate once all files of their month are read', async () => {
  at('2026-12-08T12:00:00Z');
  const late = { ...ORDER, id: 'GPA.7', at: '2026-12-01T03:00:00Z' };
  const made = await sold([ORDER]);
  const { org, bucket } = made;
  const write = (name: string, bytes: Uint8Array) =>
    reports.write(bucket, name, bytes, new Date(clock.now));
  write('sales/salesreport_202612.zip', salesZip('2026-12', [late]));
  await readNow(org);
  const query = 'store=google_play&from=2026-11-01&to=2026-12-07&currency=EUR';
  expect((await ask(org, query)).totals.proceedsMinor).toBe(714 * 2);

  // The last evening of November in California is December in UTC.
  const evening = { id: 'GPA.7', date: 'Nov 30, 2026', time: '7:00:00 PM PST' };
  write('earnings/earnings_202611_1234567890123456-1.zip', earningsZip('2026-11', [EARNED, FEE]));
  write(
    'earnings/earnings_202611_9999999999999999-1.zip',
    zipOf([{ name: 'a.csv', content: Buffer.from('no,table') }]),
  );
  await readNow(org);
  const partly = await ask(org, query);
  expect(partly.totals.proceedsMinor).toBe(714 * 2);
  expect(partly.freshness.lastError).toContain('lacks the columns Transaction Date');
  expect(partly.googlePlay.earningsThrough).toBe(null);

  const second = earningsZip('2026-11', [{ ...EARNED, ...evening, amount: '7.00' }]);
  write('earnings/earnings_202611_9999999999999999-1.zip', second);
  await readNow(org);
  const read = await ask(org, query);
  expect(read.googlePlay.earningsThrough).toBe('2026-11');
  expect(read.totals).toMatchObject({ proceedsMinor: 714 + 700, subscriptionUnits: 2 });
  const days = new Map(read.series.map((day: { day: string }) => [day.day, day]));
  expect(days.get('2026-12-01')).toMatchObject({ proceedsMinor: 700, subscriptionUnits: 1 });
  expect(read.freshness.lastError).toBe(null);
});

test('a chargeback that only earnings know is money of its own day', async () => {
  at('2026-12-08T12:00:00Z');
  const { org, bucket } = await sold([ORDER]);
  const back = { ...EARNED, date: 'Nov 10, 2026', type: 'Charge refund', amount: '-8.40' };
  const bytes = earningsZip('2026-11', [EARNED, FEE, back]);
  reports.write(bucket, 'earnings/earnings_202611_1-1.zip', bytes, new Date(clock.now));
  await readNow(org);
  const read = await ask(org, WINDOW);
  const days = new Map(read.series.map((day: { day: string }) => [day.day, day]));
  expect(days.get('2026-11-10')).toMatchObject({ proceedsMinor: -840, refunds: 0 });
  expect(read.totals.proceedsMinor).toBe(-126);
});

test('money of the whole account belongs to no app, and a base plan makes a subscription', async () => {
  at('2026-12-08T12:00:00Z');
  const { org, bucket } = await sold([ORDER]);
  const account = { ...EARNED, type: 'Adjustment', package: '', sku: '', amount: '-2.00' };
  const numbered = { ...EARNED, productType: '1', basePlan: 'yearly' };
  const bytes = earningsZip('2026-11', [numbered, FEE, { ...account, productType: '' }]);
  reports.write(bucket, 'earnings/earnings_202611_1-1.zip', bytes, new Date(clock.now));
  await readNow(org);
  const read = await ask(org, WINDOW);
  const apps = read.byApp.map(({ key, proceedsMinor }: { key: string; proceedsMinor: number }) => [
    key,
    proceedsMinor,
  ]);
  expect(apps).toEqual([
    ['com.example.focus', 840 - 126],
    ['unattributed', -200],
  ]);
  expect(read.byKind.find(({ key }: { key: string }) => key === 'subscription')).toMatchObject({
    proceedsMinor: 840 - 126,
    subscriptionUnits: 1,
  });
});

test('a month that Google writes anew: more rows at once, fewer only a day later', async () => {
  at('2026-11-20T12:00:00Z');
  const { org, write } = await sold([ORDER]);
  const other = { ...ORDER, id: 'GPA.2', at: '2026-11-04T10:00:00Z' };
  write([ORDER, other]);
  await readNow(org);
  expect((await ask(org, WINDOW)).totals.subscriptionUnits).toBe(2);
  clock.now += 6 * 3_600_000;
  write([other]);
  await readNow(org);
  expect((await ask(org, WINDOW)).totals.subscriptionUnits).toBe(2);
  clock.now += DAY_MS;
  await readNow(org);
  clock.now += DAY_MS + 1;
  await readNow(org);
  const read = await ask(org, WINDOW);
  expect(read.totals.subscriptionUnits).toBe(1);
  expect(read.series.find(({ day }: { day: string }) => day === '2026-11-03')).toMatchObject({
    covered: true,
    subscriptionUnits: 0,
  });
});

test('installs by country, in UTF-16, are downloads', async () => {
  at('2026-11-20T12:00:00Z');
  const { org, bucket } = await sold([ORDER]);
  const of = (day: string, country: string, installs: number) => ({
    ...{ day, country, installs },
    package: 'com.example.focus',
  });
  const bytes = installsCsv([
    of('2026-11-03', 'DE', 12),
    of('2026-11-03', 'Other', 3),
    of('2026-11-17', 'US', 5),
  ]);
  const name = 'stats/installs/installs_com.example.focus_202611';
  reports.write(bucket, `${name}_country.csv`, bytes, new Date(clock.now));
  reports.write(bucket, `${name}_device.csv`, bytes, new Date(clock.now));
  await readNow(org);
  const read = await ask(org, WINDOW);
  expect(read.totals.downloads).toBe(20);
  expect(read.googlePlay.installsThrough).toBe('2026-11-17');
  const byCountry = new Map(read.byCountry.map((row: { key: string }) => [row.key, row]));
  expect(byCountry.get('unknown')).toMatchObject({ downloads: 3 });
  expect(byCountry.get('DE')).toMatchObject({ downloads: 12, subscriptionUnits: 1 });
  expect(reports.downloads.filter((one) => one.endsWith('_device.csv'))).toEqual([]);
});

test('what cannot be read is said, and what was read before stays', async () => {
  at('2026-11-20T12:00:00Z');
  const { org, bucket, write } = await sold([ORDER]);
  const name = 'sales/salesreport_202611.zip';
  const broken = async (bytes: Uint8Array | string) => {
    reports.write(bucket, name, bytes, new Date(clock.now));
    await readNow(org);
    const read = await ask(org, WINDOW);
    expect(read.totals.subscriptionUnits).toBe(1);
    return read.freshness.lastError;
  };
  expect(await broken('PK\u0003\u0004 torn')).toContain('cannot be unpacked');
  expect(await broken(utf16('Order Number,Financial Status\nGPA.1,Charged'))).toContain(
    'lacks the columns',
  );
  expect(await broken(salesZip('2026-11', [{ ...ORDER, price: 'free' }]))).toContain(
    'Line 2: Item Price is not a decimal number',
  );
  expect(await broken(salesZip('2026-11', [{ ...ORDER, currency: 'euro' }]))).toContain('currency');
  write([ORDER, { ...ORDER, id: 'GPA.5', status: 'Charged in part' }]);
  await readNow(org);
  const read = await ask(org, WINDOW);
  expect(read.freshness.lastError).toContain(
    'Unknown Financial Status "charged in part": 1 row left out.',
  );
  expect(read.totals.subscriptionUnits).toBe(1);
});

test('a refused key is said at the connection, an outage is waited for, a token renewed', async () => {
  at('2026-11-20T12:00:00Z');
  const { org, write } = await sold([ORDER]);
  const state = async () => (await call('/v1/store/google-play', { headers: org.key })).body;
  const isDue = async (ms: number) => {
    const { nextReadAt } = await state();
    expect(Date.parse(nextReadAt) - clock.now).toBe(ms);
  };
  await isDue(6 * 3_600_000);
  reports.expireTokens();
  await readNow(org);
  expect((await state()).status).toBe('connected');
  for (const status of [401, 403]) {
    reports.faults.next({ kind: 'status', status }, { match: /\/o$/ });
    await readNow(org);
    expect(await state()).toMatchObject({ status: 'connected', lastError: null });
  }
  reports.setPermission(false);
  await readNow(org);
  reports.setPermission(true);
  expect(await state()).toMatchObject({
    status: 'invalid',
    lastError: expect.stringContaining('View financial data'),
  });
  await isDue(3_600_000);
  write([ORDER, { ...ORDER, id: 'GPA.2' }]);
  reports.faults.next({ kind: 'cut' }, { match: /o\/sales/ });
  reports.faults.next({ kind: 'status', status: 503 }, { match: /\/o$/ });
  await readNow(org);
  await readNow(org);
  await readNow(org);
  expect((await ask(org, WINDOW)).totals.subscriptionUnits).toBe(2);
  const gone = await call('/v1/store/google-play', { method: 'DELETE', headers: org.key });
  expect(gone.status).toBe(204);
  expect(await state()).toBe(null);
  expect((await ask(org, WINDOW)).totals.subscriptionUnits).toBe(2);
  expect(await readNow(org)).toBe(0);
  expect(
    (await call('/v1/store/google-play/read', { method: 'POST', headers: org.key })).status,
  ).toBe(404);
});

test('files of many pages, and only the last 25 months of them', async () => {
  at('2026-11-20T12:00:00Z');
  const { org, bucket } = await sold([ORDER]);
  reports.setPageSize(2);
  for (const month of ['2023-10', '2024-09', '2024-10', '2025-01', '2026-10']) {
    const order = { ...ORDER, at: `${month}-15T12:00:00Z` };
    const name = `sales/salesreport_${month.replace('-', '')}.zip`;
    reports.write(bucket, name, salesZip(month, [order]), new Date(clock.now));
  }
  reports.write(bucket, 'sales/salesreport_notes.txt', 'something else', new Date(clock.now));
  await readNow(org);
  reports.setPageSize(1_000);
  expect(reports.downloads.slice(-3)).toEqual([
    'sales/salesreport_202610.zip',
    'sales/salesreport_202501.zip',
    'sales/salesreport_202410.zip',
  ]);
  expect(reports.violations).toEqual([]);
  // A year before the window is known too.
  const read = await ask(org, 'store=google_play&from=2025-01-01&to=2025-01-31&currency=EUR');
  expect(read.totals.subscriptionUnits).toBe(1);
  expect(read.missing.days).toEqual([]);
});
