import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type ReportsSimulator, startPlayReports } from '../simulators/play-reports/server.ts';
import { launchChromium } from '../support/clients/chromium.ts';
import { type Owner, startOwner } from '../support/console/owner.ts';
import { faultsOnEveryScreen } from '../support/console/visit.ts';
import {
  earningsZip,
  installsCsv,
  type Order,
  REPORTS_ACCOUNT,
  salesZip,
  trustReportsAccount,
} from '../support/play-reports.ts';

const browser = await launchChromium();
const BUCKET = 'pubsite_prod_01234567890987654321';
const DAY_MS = 86_400_000;
let reports: ReportsSimulator;
let owner: Owner;
const box = () => owner.page.getByRole('region', { name: 'Google Play reports' });
const connect = () => box().getByRole('button', { name: 'Connect', exact: true }).click();

const daysBack = Array.from({ length: 60 }, (_, back) =>
  new Date(Date.now() - (back + 3) * DAY_MS).toISOString().slice(0, 10),
);

function orderOf(day: string, index: number): Order {
  const isPro = index % 3 !== 0;
  return {
    id: `GPA.${index}`,
    at: `${day}T12:00:00Z`,
    package: index % 4 === 0 ? 'com.example.sleep' : 'com.example.focus',
    sku: isPro ? 'pro.yearly' : 'stickers',
    title: isPro ? 'Focus Pro, yearly' : 'Stickers',
    type: isPro ? 'subscription' : 'inapp',
    country: ['US', 'DE', 'JP', 'BR'][index % 4] ?? 'US',
    currency: 'USD',
    price: isPro ? '29.99' : '2.99',
    charged: isPro ? '32.09' : '3.20',
    status: index % 11 === 0 ? 'Refund' : 'Charged',
    eligible: true,
  };
}

function writeReports(): void {
  const orders = daysBack.flatMap((day, index) =>
    Array.from({ length: 2 + (index % 5) }, (_, more) => orderOf(day, index * 7 + more)),
  );
  const months = new Set(daysBack.map((day) => day.slice(0, 7)));
  for (const month of months) {
    const digits = month.replace('-', '');
    const own = orders.filter(({ at }) => at.startsWith(month));
    reports.write(BUCKET, `sales/salesreport_${digits}.zip`, salesZip(month, own), new Date());
    const installed = daysBack
      .filter((day) => day.startsWith(month))
      .map((day, index) => ({
        ...{ day, package: 'com.example.focus', country: 'US' },
        installs: 40 + index,
      }));
    const name = `stats/installs/installs_com.example.focus_${digits}_country.csv`;
    reports.write(BUCKET, name, installsCsv(installed), new Date());
  }
  const oldest = [...months].toSorted()[0] ?? '';
  const bytes = earningsZip(oldest, []);
  reports.write(BUCKET, `earnings/earnings_${oldest.replace('-', '')}_1-1.zip`, bytes, new Date());
}

beforeAll(async () => {
  if (!browser) return;
  reports = await startPlayReports(() => new Date());
  trustReportsAccount(reports);
  owner = await startOwner(browser, {
    GOOGLE_STORAGE_URL: reports.url,
    GOOGLE_TOKEN_URL: `${reports.url}/token`,
  });
});
afterAll(async () => {
  await browser?.close();
  await owner?.instance.stop();
  await reports?.stop();
});

describe.skipIf(!browser)('reports of Google Play', () => {
  test('are connected with what Play Console copies, and say what is missing', async () => {
    const { open, page } = owner;
    await open('/sales');
    await page.locator('.empty-title', { hasText: 'No store is connected' }).waitFor();
    await open('/store');
    await box().getByLabel('Cloud Storage URI').fill(`gs://${BUCKET}/`);
    await connect();
    await box().getByText('Choose the JSON key file.').waitFor();
    await box()
      .getByLabel('JSON key file of the service account')
      .setInputFiles({
        name: 'key.json',
        mimeType: 'application/json',
        buffer: Buffer.from(REPORTS_ACCOUNT),
      });
    await box().getByText('Chosen: key.json').waitFor();
    await connect();
    await box().getByText('Google has no such bucket').waitFor();
    writeReports();
    reports.setPermission(false);
    await connect();
    await box().getByText('this can take up to 36 hours').last().waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    reports.setPermission(true);
    await connect();
    await box().getByText('Connected', { exact: true }).waitFor();
    await box().getByRole('button', { name: 'Read now' }).click();
    await box().getByText('Reading goes on in the background.').waitFor();
    expect(await page.content()).not.toContain('PRIVATE KEY');
    expect(await faultsOnEveryScreen(page)).toEqual([]);
  });

  test('are figures of the sales page, by their own days, alone or with the App Store', async () => {
    const { open, page } = owner;
    await open('/sales');
    await page.getByText('Pacific days, of Google Play UTC').waitFor();
    await page.getByText('Days of the last year: Google Play').waitFor();
    await open('/sales?store=google_play');
    await page.getByText(/^UTC days/).waitFor();
    await page.getByText('com.example.sleep').first().waitFor();
    await page.getByText(/Proceeds of Google Play as paid out through/).waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    expect(owner.faults).toEqual([]);
  });
});
