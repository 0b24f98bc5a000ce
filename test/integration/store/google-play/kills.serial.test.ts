import { expect, test } from 'bun:test';
import { join } from 'node:path';
import {
  earningsZip,
  type Order,
  salesZip,
  startPlayReportsService,
} from '../../../support/play-reports.ts';
import { poolerEnv, testDatabase } from '../../../support/postgres.ts';
import { isFullRun } from '../../../support/random.ts';
import { pause } from '../../../support/pause.ts';

const KILLS = isFullRun ? 100 : 6;
const CHILD = join(import.meta.dir, '../../../support/play-reports-child.ts');
const database = await testDatabase();
const now = new Date();
const service = await startPlayReportsService(database, now.toISOString());
const { account, ask, clock, connect, readNow, reports } = service;

/** The six months before this one. */
const MONTHS = Array.from({ length: 6 }, (_, back) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back - 1, 1))
    .toISOString()
    .slice(0, 7),
);
const dayOf = (month: string, day: number) => `${month}-${String(day).padStart(2, '0')}`;

const ordersOf = (month: string, count: number): Order[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ id: `GPA.${month}.${index}`, at: `${dayOf(month, 2 + (index % 25))}T12:00:00Z` },
    ...{ package: 'com.example.focus', sku: 'pro', type: 'subscription', country: 'DE' },
    ...{ currency: 'EUR', price: '8.40', charged: '9.99' },
  }));

test(`a worker that is killed ${KILLS} times while it reads loses and doubles nothing`, async () => {
  const made = await account();
  const { org, bucket } = made;
  let count = 40;
  const write = (month: string) => {
    const name = `sales/salesreport_${month.replace('-', '')}.zip`;
    reports.write(bucket, name, salesZip(month, ordersOf(month, count)), new Date(clock.now));
  };
  for (const month of MONTHS) write(month);
  await connect(made);
  for (let kill = 0; kill < KILLS; kill += 1) {
    count += 1;
    for (const month of MONTHS) write(month);
    const child = Bun.spawn([process.execPath, CHILD], {
      env: {
        PATH: process.env.PATH ?? '',
        DATABASE_URL: database.url,
        ...poolerEnv,
        DATA_DIR: service.dataDir,
        // Never asked.
        TEMPORAL_ADDRESS: '127.0.0.1:1',
        GOOGLE_STORAGE_URL: reports.url,
        GOOGLE_TOKEN_URL: `${reports.url}/token`,
        SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
        LOG_LEVEL: 'fatal',
        CHILD_ORG: org.orgId,
      },
      stdout: 'pipe',
      stderr: process.env.TEST_LOG_LEVEL ? 'inherit' : 'ignore',
    });
    await child.stdout.getReader().read();
    await pause((kill * 37) % 400, 'a kill at any moment');
    child.kill('SIGKILL');
    await child.exited;
    expect(child.signalCode).toBe('SIGKILL');
  }
  const [earned = ''] = MONTHS;
  const amount = { currency: 'EUR', amount: '7.00', productType: 'subscription', type: 'Charge' };
  const day = new Date(`${dayOf(earned, 5)}T12:00:00Z`);
  const date = day.toLocaleDateString('en-US', {
    ...{ month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' },
  });
  const earning = { id: 'GPA.1', date, time: '9:00:00 AM PDT', country: 'DE' };
  const bytes = earningsZip(earned, [
    { ...earning, ...amount, package: 'com.example.focus', sku: 'pro' },
  ]);
  reports.write(bucket, `earnings/earnings_${earned.replace('-', '')}_1-1.zip`, bytes, now);
  await readNow(org);
  const from = `${MONTHS.at(-1)}-01`;
  const read = await ask(
    org,
    `store=google_play&from=${from}&to=${dayOf(earned, 28)}&currency=EUR`,
  );
  expect(read.totals).toMatchObject({
    subscriptionUnits: MONTHS.length * count,
    customerSpendMinor: MONTHS.length * count * 999,
    proceedsMinor: (MONTHS.length - 1) * count * 714 + 700,
  });
  expect(reports.violations).toEqual([]);
}, 1_200_000);
