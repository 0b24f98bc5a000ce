import type { Api } from '../../clients/api/src/index.ts';
import type { OrgContext } from '../context.ts';
import { recordReport } from '../modules/sales/index.ts';
import { REPORT_TYPES, type ReportAnswer, type ReportType } from '../providers/store/port.ts';
import { limitConcurrency } from '../shared/concurrency.ts';
import { addDays, eachDay, pacificDay } from '../shared/pacific.ts';
import { SIMULATED_APPS, STORY } from './market.ts';
import { insertAccount, insertStoreApps, noteCollected } from './queries.ts';
import { type DemoAccount, reportOn } from './reports.ts';

const ACCOUNT = {
  issuerId: '00000000-0000-0000-0000-000000000000',
  keyId: 'SIMULATED0',
  vendorNumber: '80000000',
};
const AT_ONCE = 4;

type Needs = 'clock' | 'objects' | 'sql';
type Answers = Map<string, ReportAnswer['kind']>;

export type Collect = () => Promise<{ arrived: number }>;

/** Without a key, so that only the demo writes its days. */
export async function connectAccount(ctx: OrgContext<Needs>, seed: number): Promise<Collect> {
  const { deps, orgId } = ctx;
  const now = deps.clock();
  await insertAccount(deps.sql, { orgId, ...ACCOUNT, at: now });
  await insertStoreApps(deps.sql, { orgId, apps: SIMULATED_APPS, at: now });
  const account = { seed, madeOn: pacificDay(now), madeAtMs: now.getTime() };
  const answers: Answers = new Map();
  return () => collect(ctx, account, answers);
}

type Day = { reportType: ReportType; day: string };

/** To yesterday, from the first day out of the store's retention. */
function daysToWrite({ madeOn }: DemoAccount, now: Date): Day[] {
  const days = eachDay(addDays(madeOn, -STORY.launchedDaysAgo - 1), addDays(pacificDay(now), -1));
  return REPORT_TYPES.flatMap((reportType) => days.map((day) => ({ reportType, day })));
}

async function collect({ deps, orgId }: OrgContext<Needs>, account: DemoAccount, answers: Answers) {
  const now = deps.clock();
  const { vendorNumber } = ACCOUNT;
  const limit = limitConcurrency(AT_ONCE);
  let arrived = 0;
  const write = async ({ reportType, day }: Day) => {
    const key = `${reportType} ${day}`;
    const before = answers.get(key);
    if (before !== undefined && before !== 'not_yet') return;
    const answer = reportOn(account, { vendorNumber, reportType, day, version: null }, now);
    if (answer.kind === before) return;
    await recordReport(deps, { orgId, vendorNumber, reportType, day }, answer);
    answers.set(key, answer.kind);
    if (before === 'not_yet' && reportType === 'SALES') arrived += 1;
  };
  await Promise.all(daysToWrite(account, now).map((day) => limit(() => write(day))));
  await noteCollected(deps.sql, { orgId, vendorNumber, at: now });
  return { arrived };
}

export async function linkStoreApps(api: Api, appIds: readonly string[]): Promise<void> {
  for (const [index, { storeAppId }] of SIMULATED_APPS.entries()) {
    await api.linkStoreApp({ body: { storeAppId, appId: appIds[index] ?? null } });
  }
}

const dollars = (minor: number) => `$${(minor / 100).toFixed(2)}`;

export async function drawSales(api: Api): Promise<string> {
  const { window, byApp, totals, freshness } = await api.getSalesAnalytics();
  const rows = byApp.map(
    ({ label, downloads, proceedsMinor }) =>
      `  ${label.padEnd(16)} ${String(downloads).padStart(7)} downloads ${dollars(proceedsMinor).padStart(12)}`,
  );
  return [
    `Sales of ${window.from} to ${window.to}, from a simulated store`,
    '',
    ...rows,
    '',
    `  ${totals.trials} trials, ${totals.refunds} refunds; ${freshness.gaps} days are late at the store and arrive in 20 minutes, while this command runs.`,
  ].join('\n');
}
