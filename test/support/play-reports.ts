import { afterAll } from 'bun:test';
import { readPlayReports } from '../../src/modules/sales/index.ts';
import { createPlayReports } from '../../src/providers/play-reports/client.ts';
import { type ReportsSimulator, startPlayReports } from '../simulators/play-reports/server.ts';
import { googleAccount } from './google-account.ts';
import type { TestDatabase } from './postgres.ts';
import {
  type Answer,
  createTestOrg,
  type ServiceOptions,
  startTestService,
  type TestOrg,
  type TestService,
} from './service.ts';
import { zipOf } from './zip.ts';

const reader = googleAccount('reports@example.iam.gserviceaccount.com', 'r1e2');
export const REPORTS_ACCOUNT = JSON.stringify(reader.file);
export const trustReportsAccount = reader.trustedBy;

export type PlayAccountOfTest = { org: TestOrg; bucket: string };

export type PlayReportsService = TestService & {
  reports: ReportsSimulator;
  clock: { now: number };
  /** An account whose bucket is empty. */
  account: () => Promise<PlayAccountOfTest>;
  connect: (account: PlayAccountOfTest) => Promise<void>;
  /** As the run of Temporal does. */
  readNow: (org: TestOrg) => Promise<number>;
  ask: (org: TestOrg, query: string) => Promise<Answer['body']>;
};

let buckets = 0;

/** The service with a bucket of reports; its clock stands still unless a test moves it. */
export async function startPlayReportsService(
  database: TestDatabase,
  startsAt: string,
  options: ServiceOptions = {},
): Promise<PlayReportsService> {
  const clock = { now: Date.parse(startsAt) };
  const now = () => new Date(clock.now);
  const reports = await startPlayReports(now);
  afterAll(() => reports.stop());
  trustReportsAccount(reports);
  const service = await startTestService(database, {
    with: () => ({
      clock: now,
      playReports: createPlayReports({
        baseUrl: reports.url,
        tokenUrl: `${reports.url}/token`,
        clock: now,
      }),
    }),
    ...options,
  });
  return {
    ...service,
    reports,
    clock,
    account: async () => {
      buckets += 1;
      const bucket = `pubsite_prod_${String(buckets).padStart(12, '0')}`;
      reports.addBucket(bucket);
      return { org: await createTestOrg(service), bucket };
    },
    connect: async ({ org, bucket }) => {
      const body = { bucket: `gs://${bucket}/`, serviceAccount: REPORTS_ACCOUNT };
      const path = '/v1/store/google-play';
      const answer = await service.call(path, { method: 'PUT', headers: org.key, body });
      if (answer.status !== 200) throw new Error(answer.text);
    },
    readNow: async ({ orgId }) => {
      const ctx = { deps: service.deps, requestId: 'test' };
      let rows = 0;
      for (let isListed = false; ; isListed = true) {
        const round = await readPlayReports(ctx, { orgId, isListed });
        rows += round.rowsWritten;
        if (!round.goesOn) return rows;
      }
    },
    ask: async (org, query) => {
      const answer = await service.call(`/v1/analytics?${query}`, { headers: org.key });
      if (answer.status !== 200) throw new Error(answer.text);
      return answer.body;
    },
  };
}

const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const csvOf = (header: readonly string[], rows: readonly Record<string, string>[]) =>
  [header, ...rows.map((row) => header.map((name) => row[name] ?? ''))]
    .map((cells) => cells.map(cell).join(','))
    .join('\n');

export const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');

export type Order = {
  id: string;
  /** Instant of the charge or refund. */
  at: string;
  package: string;
  sku: string;
  type: 'inapp' | 'paidapp' | 'subscription';
  country: string;
  currency: string;
  /** Before tax, and paid by the customer; refunds are negative. */
  price: string;
  charged: string;
  status?: string;
  eligible?: boolean;
  title?: string;
};

const SALES_COLUMNS = [
  'Order Number',
  'Order Charged Date',
  'Order Charged Timestamp',
  'Financial Status',
  'Device Model',
  'Product Title',
  'Product ID',
  'Product Type',
  'SKU ID',
  'Currency of Sale',
  'Item Price',
  'Taxes Collected',
  'Charged Amount',
  'Country of Buyer',
  'First USD 1M Eligible',
];

/** As Google packs the estimated sales of a month. */
export function salesZip(month: string, orders: readonly Order[]): Uint8Array {
  const rows = orders.map((order) => ({
    'Order Number': order.id,
    'Order Charged Date': order.at.slice(0, 10),
    'Order Charged Timestamp': String(Date.parse(order.at) / 1_000),
    'Financial Status': order.status ?? 'Charged',
    'Device Model': 'husky',
    'Product Title': order.title ?? 'Focus Pro, yearly',
    'Product ID': order.package,
    'Product Type': order.type,
    'SKU ID': order.sku,
    'Currency of Sale': order.currency,
    'Item Price': order.price,
    'Charged Amount': order.charged,
    'Country of Buyer': order.country,
    'First USD 1M Eligible': order.eligible ? 'Yes' : 'No',
  }));
  const name = `salesreport_${month.replace('-', '')}.csv`;
  return zipOf([{ name, content: Buffer.from(csvOf(SALES_COLUMNS, rows)) }]);
}

export type Earning = {
  id: string;
  /** As "Nov 1, 2026" and "3:29:44 AM PDT". */
  date: string;
  time: string;
  type: string;
  package: string;
  sku: string;
  productType: string;
  country: string;
  currency: string;
  amount: string;
  basePlan?: string;
};

const EARNINGS_COLUMNS = [
  'Description',
  'Transaction Date',
  'Transaction Time',
  'Tax Type',
  'Transaction Type',
  'Refund Type',
  'Product Title',
  'Product id',
  'Product Type',
  'Sku Id',
  'Hardware',
  'Buyer Country',
  'Merchant Currency',
  'Amount (Merchant Currency)',
  'Base Plan ID',
];

export function earningsZip(month: string, earnings: readonly Earning[]): Uint8Array {
  const rows = earnings.map((one) => ({
    Description: one.id,
    'Transaction Date': one.date,
    'Transaction Time': one.time,
    'Transaction Type': one.type,
    'Product Title': 'Focus Pro',
    'Product id': one.package,
    'Product Type': one.productType,
    'Sku Id': one.sku,
    'Buyer Country': one.country,
    'Merchant Currency': one.currency,
    'Amount (Merchant Currency)': one.amount,
    'Base Plan ID': one.basePlan ?? '',
  }));
  const name = `PlayApps_${month.replace('-', '')}.csv`;
  return zipOf([{ name, content: Buffer.from(csvOf(EARNINGS_COLUMNS, rows)) }]);
}

export type Installed = { day: string; package: string; country: string; installs: number };

/** UTF-16, as Google writes statistics. */
export function installsCsv(installed: readonly Installed[]): Uint8Array {
  const header = [
    'Date',
    'Package Name',
    'Country',
    'Daily Device Installs',
    'Daily User Installs',
  ];
  const rows = installed.map((one) => ({
    Date: one.day,
    'Package Name': one.package,
    Country: one.country,
    'Daily Device Installs': String(one.installs + 1),
    'Daily User Installs': String(one.installs),
  }));
  return utf16(csvOf(header, rows));
}
