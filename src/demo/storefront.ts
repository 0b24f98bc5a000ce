import type { OrgContext } from '../context.ts';
import { noteEnd, noteTry, upsertReviews } from '../modules/reviews/index.ts';
import { insertReleases } from '../modules/sales/index.ts';
import { recordFacts, upsertRequest } from '../modules/store-reports/index.ts';
import type { AppReport, AppReportFact } from '../providers/store/port.ts';
import { addDays, eachDay, pacificDay } from '../shared/pacific.ts';
import { seeded } from '../shared/random.ts';
import { DAY_MS } from '../shared/time.ts';
import { linesOn, type SimulatedApp, type Simulation, STORY, trialsOn } from './market.ts';
import { drawReviews } from './reviews.ts';

const REPORTED_DAYS = 34;
/** The store's files are two days behind. */
const BEHIND_DAYS = 2;
const SEEN_FOR_A_DOWNLOAD = { Impression: 26, 'Page view': 3.4 } as const;
const SOURCES = [
  ['App Store search', 0.62],
  ['App Store browse', 0.21],
  ['Web referrer', 0.11],
  ['App referrer', 0.06],
] as const;

type Scope = { ctx: OrgContext<'clock' | 'sql'>; app: SimulatedApp; seed: number };

const RELEASES = [
  ['2.3.1', STORY.launchedDaysAgo],
  [STORY.badRelease.version, STORY.badRelease.fromDaysAgo],
  [STORY.repairedVersion, STORY.badRelease.toDaysAgo],
] as const;

async function writeReviews({ ctx, app, seed }: Scope): Promise<number> {
  const { orgId, deps } = ctx;
  const now = deps.clock();
  const scope = { orgId, storeAppId: app.storeAppId };
  const releases = RELEASES.map(([version, daysAgo]) => ({
    platform: 'IOS',
    version,
    onSaleFrom: new Date(now.getTime() - daysAgo * DAY_MS),
    isSeen: true,
  }));
  await insertReleases(deps.sql, scope, releases);
  const reviews = drawReviews(seed, now.getTime());
  await noteTry(deps.sql, scope, now);
  await upsertReviews(deps.sql, scope, reviews, now);
  await noteEnd(deps.sql, scope, { checkedAt: now, isWhole: true });
  return reviews.length;
}

type Draw = (simulation: Simulation, app: SimulatedApp, day: string) => AppReportFact[];

const fact = (day: string, kind: string, count: number, source = ''): AppReportFact => ({
  day,
  kind,
  grouping: '',
  source,
  version: '',
  territory: 'US',
  count,
  seconds: 0,
});

type Sold = 'yearly' | 'app';

function unitsOn(simulation: Simulation, { sku }: SimulatedApp, day: string, sold: Sold): number {
  return linesOn(simulation, day)
    .filter(
      ({ app, product, productType }) =>
        app.sku === sku && (sold === 'app' ? productType === '1F' : product === sold),
    )
    .reduce((sum, { units }) => sum + Math.max(0, units), 0);
}

const bySource = (day: string, kind: string, count: number): AppReportFact[] =>
  SOURCES.map(([source, share]) => fact(day, kind, Math.round(count * share), source));

const DRAWN: readonly (readonly [AppReport, Draw])[] = [
  [
    'engagement',
    (simulation, app, day) => {
      const random = seeded(Number(Bun.hash.wyhash(`${simulation.seed} seen ${day}`) % 2n ** 32n));
      const downloads = unitsOn(simulation, app, day, 'app');
      return Object.entries(SEEN_FOR_A_DOWNLOAD).flatMap(([kind, times]) =>
        bySource(day, kind, downloads * times * (0.9 + 0.2 * random.next())),
      );
    },
  ],
  [
    'downloads',
    (simulation, app, day) =>
      bySource(day, 'First-time download', unitsOn(simulation, app, day, 'app')),
  ],
  [
    'subscription_event',
    (simulation, app, day) => [
      ...trialsOn(simulation, day).flatMap(([of, trials]) =>
        of.sku === app.sku ? [fact(day, 'Free Trial Starts', trials)] : [],
      ),
      fact(day, 'Full Price From Free Trial', unitsOn(simulation, app, day, 'yearly')),
    ],
  ],
];

async function writeReports({ ctx, app, seed }: Scope): Promise<void> {
  const { orgId, deps } = ctx;
  const now = deps.clock();
  const today = pacificDay(now);
  const simulation = { seed, madeOn: today };
  const scope = { orgId, storeAppId: app.storeAppId, access: 'ONGOING' as const };
  await upsertRequest(deps.sql, scope, { requestId: 'simulated', at: now });
  const processingDate = addDays(today, -1);
  const days = eachDay(addDays(today, -REPORTED_DAYS), addDays(today, -BEHIND_DAYS));
  for (const [report, draw] of DRAWN) {
    const facts = days
      .flatMap((day) => draw(simulation, app, day))
      .filter(({ count }) => count > 0);
    const change = { state: 'reported' as const, emptySeenAt: null, rows: 'replace' as const };
    await recordFacts(deps, { ...scope, report, processingDate }, facts, {
      change,
      at: now,
      error: null,
    });
  }
}

export async function fillStorefront(scope: Scope): Promise<number> {
  await writeReports(scope);
  return writeReviews(scope);
}
