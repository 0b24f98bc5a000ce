import { gzipSync } from 'node:zlib';
import type { ReportAnswer, ReportRequest } from '../providers/store/port.ts';
import { openReport } from '../providers/store/report/open-report.ts';
import { addDays, daysBetween, pacificInstant } from '../shared/pacific.ts';
import { MINUTE_MS } from '../shared/time.ts';
import * as market from './market.ts';

export type DemoAccount = market.Simulation & { madeAtMs: number };

const LATE_DAYS_AGO = [3, 6];
const LATE_BY_MS = 20 * MINUTE_MS;
/** Pacific hours of the next day. */
const PUBLISHED_AT = { SALES: 5, SUBSCRIPTION_EVENT: 9 } as const;

function isPublished(
  { madeOn, madeAtMs }: DemoAccount,
  request: ReportRequest,
  now: Date,
): boolean {
  const { day, reportType } = request;
  const isLate = LATE_DAYS_AGO.includes(daysBetween(day, madeOn));
  if (isLate) return now.getTime() >= madeAtMs + LATE_BY_MS;
  const hour = reportType === 'SALES' ? PUBLISHED_AT.SALES : PUBLISHED_AT.SUBSCRIPTION_EVENT;
  return now >= pacificInstant(addDays(day, 1), hour);
}

function american(day: string): string {
  const [year, month, date] = day.split('-');
  return `${month}/${date}/${year}`;
}

function salesRow(line: market.ReportLine, day: string): Record<string, string> {
  const { app, product, price, units } = line;
  const sold = product && market.PRODUCTS[product];
  return {
    Provider: 'SIMULATED',
    SKU: sold ? `${app.bundleId}.${sold.sku}` : app.sku,
    Title: sold ? sold.name : app.name,
    'Product Type Identifier': line.productType,
    Units: String(units),
    'Developer Proceeds': (price * market.PUBLISHERS_SHARE).toFixed(2),
    'Begin Date': american(day),
    'End Date': american(day),
    'Customer Currency': market.CURRENCY,
    'Country Code': line.country,
    'Currency of Proceeds': market.CURRENCY,
    'Apple Identifier': product
      ? `${app.storeAppId}${product === 'yearly' ? 1 : 2}`
      : app.storeAppId,
    'Customer Price': (units < 0 ? -price : price).toFixed(2),
    'Parent Identifier': product ? app.sku : '',
    Subscription: product ? (line.isRenewal ? 'Renewal' : 'New') : '',
    Period: sold ? sold.period : '',
    Device: 'iPhone',
  };
}

function trialRows(account: DemoAccount, day: string): Record<string, string>[] {
  return market
    .trialsOn(account, day)
    .filter(([, trials]) => trials > 0)
    .map(([app, trials]) => ({
      'Event Date': day,
      Event: 'Start Introductory Offer',
      'App Name': app.name,
      'App Apple ID': app.storeAppId,
      'Subscription Name': market.PRODUCTS.yearly.name,
      'Subscription Apple ID': `${app.storeAppId}1`,
      'Subscription Offer Type': 'Free Trial',
      Device: 'iPhone',
      Country: 'US',
      Quantity: String(trials),
    }));
}

const DURATIONS = { yearly: '1 Year', monthly: '1 Month' } as const;

const billingIssues = (paid: number) => String(Math.round(paid / 50));

function subscriptionRow(line: market.SubscribedLine): Record<string, string> {
  const { app, product, price, country } = line;
  const paid = Math.max(0, line.paid);
  return {
    'App Name': app.name,
    'App Apple ID': app.storeAppId,
    'Subscription Name': market.PRODUCTS[product].name,
    'Subscription Apple ID': `${app.storeAppId}${product === 'yearly' ? 1 : 2}`,
    'Subscription Group ID': '21000001',
    'Standard Subscription Duration': DURATIONS[product],
    'Customer Price': price.toFixed(2),
    'Customer Currency': market.CURRENCY,
    'Developer Proceeds': (price * market.PUBLISHERS_SHARE).toFixed(2),
    'Proceeds Currency': market.CURRENCY,
    'Preserved Pricing': '',
    Device: 'iPhone',
    Country: country,
    'Active Standard Price Subscriptions': String(paid),
    'Active Free Trial Introductory Offer Subscriptions': String(line.trials),
    'Billing Retry': billingIssues(paid),
    'Grace Period': billingIssues(paid),
    'Marketing Opt-Ins': '0',
  };
}

function toRows(
  account: DemoAccount,
  { reportType, day }: ReportRequest,
): Record<string, string>[] {
  switch (reportType) {
    case 'SALES':
      return market.linesOn(account, day).map((line) => salesRow(line, day));
    case 'SUBSCRIPTION_EVENT':
      return trialRows(account, day);
    case 'SUBSCRIPTION':
      return market.subscribedOn(account, day).map(subscriptionRow);
  }
}

function tsv(rows: readonly Record<string, string>[]): string {
  const [first = {}] = rows;
  const lines = rows.map((row) => Object.values(row).join('\t'));
  return `${[Object.keys(first).join('\t'), ...lines].join('\n')}\n`;
}

export function reportOn(account: DemoAccount, request: ReportRequest, now: Date): ReportAnswer {
  const meta = { remainingInHour: null, requests: 0 };
  if (daysBetween(request.day, account.madeOn) > market.STORY.launchedDaysAgo)
    return { ...meta, kind: 'gone' };
  if (!isPublished(account, request, now)) return { ...meta, kind: 'not_yet' };
  const rows = toRows(account, request);
  if (rows.length === 0) return { ...meta, kind: 'no_sales' };
  const raw = gzipSync(tsv(rows));
  return { ...meta, kind: 'report', report: openReport(request, raw), version: request.version };
}
