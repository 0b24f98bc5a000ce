import { expect, test } from 'bun:test';
import { salesChapter } from '../../src/modules/sales/index.ts';
import { googlePlayReportsContract } from '../../src/temporal/contracts/store.ts';
import { keepHistory } from '../support/history.ts';
import {
  type Order,
  type PlayAccountOfTest,
  salesZip,
  startPlayReportsService,
} from '../support/play-reports.ts';
import { testDatabase } from '../support/postgres.ts';
import { testTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

const temporal = await testTemporal();
const service = await startPlayReportsService(await testDatabase(), '2026-11-20T12:00:00Z', {
  temporal,
});
const { account, ask, clock, connect, reports } = service;
await startTestWorker(service.deps, temporal);

const runOf = ({ org }: PlayAccountOfTest) =>
  temporal.client.workflow.getHandle(googlePlayReportsContract.workflowId({ orgId: org.orgId }));
const order = (month: string): Order => ({
  ...{ id: `GPA.${month}`, at: `${month}-03T10:00:00Z`, package: 'com.example.focus', sku: 'pro' },
  ...{ type: 'subscription', country: 'DE', currency: 'EUR', price: '8.40', charged: '9.99' },
});
const MONTHS = ['2026-05', '2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-11'];
const YEAR = 'store=google_play&from=2026-05-01&to=2026-11-19&currency=EUR';
const units = async ({ org }: PlayAccountOfTest) => (await ask(org, YEAR)).totals.subscriptionUnits;

function writeAll({ bucket }: PlayAccountOfTest, months: readonly string[]) {
  for (const month of months) {
    const name = `sales/salesreport_${month.replace('-', '')}.zip`;
    reports.write(bucket, name, salesZip(month, [order(month)]), new Date(clock.now));
  }
}

test('a connection is followed by a run that reads all months, through an outage of Google', async () => {
  const made = await account();
  writeAll(made, MONTHS);
  reports.faults.next({ kind: 'status', status: 503 }, { match: /salesreport_202608/ });
  await connect(made);
  await until('the newest months are read', async () => (await units(made)) === 3);
  await runOf(made).result();
  clock.now += 10 * 60_000;
  await salesChapter.reconcile?.(service.deps);
  await runOf(made).result();
  expect(await units(made)).toBe(MONTHS.length);
  await keepHistory(temporal.client, runOf(made).workflowId, 'google-play-reports/read-on');
});

test('what changed is read six hours later, or when somebody asks for it', async () => {
  const made = await account();
  writeAll(made, ['2026-10']);
  await connect(made);
  await until('it is read', async () => (await units(made)) === 1);
  await runOf(made).result();
  writeAll(made, ['2026-11']);
  await salesChapter.reconcile?.(service.deps);
  expect(await units(made)).toBe(1);
  const path = '/v1/store/google-play/read';
  expect((await service.call(path, { method: 'POST', headers: made.org.key })).status).toBe(200);
  await until('it is read', async () => (await units(made)) === 2);
  await runOf(made).result();
  writeAll(made, ['2026-09']);
  clock.now += 6 * 3_600_000;
  await salesChapter.reconcile?.(service.deps);
  await until('it is read', async () => (await units(made)) === 3);
});
