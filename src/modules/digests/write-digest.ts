import { DateTime } from 'luxon';
import type { AppContext, OrgContext, SystemContext } from '../../context.ts';
import { withApp } from '../../shared/app.ts';
import { AppError } from '../../shared/errors.ts';
import { addDays } from '../../shared/pacific.ts';
import type { Store } from '../../shared/stores.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import * as contracts from '../../temporal/contracts/digests.ts';
import { listApps } from '../apps/index.ts';
import { summariseEvents } from '../events/index.ts';
import { getInsights, type Recommendation } from '../insights/index.ts';
import { listMarks } from '../marks/index.ts';
import { MAX_APPS, selectDigestSettings } from '../messages/index.ts';
import { countRefundRequests, selectRecentChanges } from '../purchases/index.ts';
import { getAnalytics } from '../sales/index.ts';
import { newsLines, refundLines } from './digest-text.ts';
import type { Digest, DigestMark, SalesOfDay } from './model.ts';
import { MARK_DAYS, pendingMarks } from './pending-marks.ts';
import { digestExists, insertDigest, selectPendingPosts, selectSentMarks } from './queries.ts';

const MAX_NEWS = 20;
/** Late reports belong to the digest of their day. */
const STORE_LATE_HOURS = 1;

const LATEST_SALES_DAYS: Readonly<Record<Store, number>> = { app_store: 3, google_play: 14 };

const CLOCKS_DIFFER_MS = MINUTE_MS;

type Between = { from: Date; to: Date };

type Needs = 'clock' | 'latestExperiment' | 'log' | 'queries' | 'rates' | 'salesFigures' | 'sql';

async function readMarks(
  ctx: AppContext<Needs>,
  sent: readonly DigestMark[],
): Promise<DigestMark[]> {
  const { marks } = await listMarks(ctx, { days: MARK_DAYS });
  return pendingMarks(
    marks.map(({ author: _, ...mark }) => mark),
    sent,
  );
}

type App = Digest['apps'][number];

function byNews(apps: readonly App[]): App[] {
  const rank = ({ alerts, news = [], marks = [], people }: App) => {
    if (alerts.length + news.length + marks.length > 0) return 0;
    return people > 0 ? 1 : 2;
  };
  return apps.toSorted((one, other) => rank(one) - rank(other));
}

/** Alerts of the store account once for all apps. */
async function readApps(
  ctx: OrgContext<Needs>,
  day: string,
  between: Between,
): Promise<Required<Pick<Digest, 'alerts' | 'apps'>>> {
  const apps: App[] = [];
  const ofAccount = new Set<string>();
  // A price change may have been sent under an earlier day.
  const days = { from: addDays(day, -2 * MARK_DAYS), to: addDays(day, -1) };
  const sent = await selectSentMarks(ctx.deps.sql, ctx.orgId, days);
  for (const app of (await listApps(ctx)).slice(0, MAX_APPS)) {
    if (app.status !== 'active') continue;
    const inApp = withApp(ctx, app);
    const { scope } = inApp;
    const { people, events } = await summariseEvents(inApp, { days: 1 });
    const marks = await readMarks(inApp, sent.get(app.id) ?? []);
    const { recommendations } = await getInsights(inApp, { isInBackground: true });
    const found = recommendations.filter(({ severity }) => severity !== 'info');
    for (const { title, detail } of found.filter(isOfAccount)) {
      ofAccount.add(`${title}: ${detail}`);
    }
    const titles = found.filter((one) => !isOfAccount(one)).map(alertLine);
    const purchases = await selectRecentChanges(ctx.deps.sql, scope, {
      ...between,
      limit: MAX_NEWS,
    });
    const refunds = await countRefundRequests(ctx.deps.sql, scope, between);
    const news = [...newsLines(purchases), ...refundLines(refunds)];
    const { id: appId, displayName: name } = app;
    apps.push({ appId, name, people, events, alerts: titles, news, marks });
  }
  return { alerts: [...ofAccount], apps: byNews(apps) };
}

/** The title of a version's fall names no step and no later version. */
const alertLine = ({ code, title, detail }: Recommendation): string =>
  code === 'version_conversion' ? `${title}: ${detail}` : title;

const isOfAccount = ({ code }: { code: string }) => code === 'store_days_missing';

/** The stores report after the digest's hour. Null without. */
async function readSales(ctx: OrgContext<Needs>, store: Store): Promise<SalesOfDay | null> {
  const { series } = await getAnalytics(ctx, { store, days: LATEST_SALES_DAYS[store] });
  const day = series.findLast(({ covered }) => covered)?.day;
  if (day === undefined) return null;
  const asked = { store, from: day, to: day };
  const { totals, currency, byApp, unconverted } = await getAnalytics(ctx, asked);
  if (byApp.length === 0) return null;
  const { downloads, proceedsMinor } = totals;
  return { day, downloads, proceedsMinor, currency, unconverted };
}

export async function writeDigest(
  { deps, requestId }: SystemContext<Needs | 'temporal'>,
  { orgId, startedMs }: contracts.MorningDigestInput & { startedMs: number },
): Promise<contracts.DigestPost[]> {
  const settings = await selectDigestSettings(deps.sql, orgId);
  if (!settings) {
    // The organization was deleted.
    await deps.temporal.unschedule(contracts.morningDigestContract, { orgId });
    return [];
  }
  if (!settings.isOn) return [];
  if (!(startedMs < deps.clock().getTime() + CLOCKS_DIFFER_MS)) {
    throw new AppError('conflict', 'The morning of this digest has not come.');
  }
  const started = DateTime.fromMillis(startedMs, { zone: settings.timezone });
  const day = started.toFormat('yyyy-MM-dd');
  // Each purchase is in one digest.
  const to = started.startOf('day').set({ hour: settings.hour - STORE_LATE_HOURS });
  const between = { from: to.minus({ days: 1 }).toJSDate(), to: to.toJSDate() };
  const scope = { orgId, day };
  if (!(await digestExists(deps.sql, scope))) {
    const ctx = { deps, requestId, orgId, actor: { kind: 'system' as const } };
    const sales = await readSales(ctx, 'app_store');
    const googlePlaySales = await readSales(ctx, 'google_play');
    const sold = { sales, ...(googlePlaySales && { googlePlaySales }) };
    const digest = { day, ...sold, ...(await readApps(ctx, day, between)) };
    await deps.sql.begin((tx) => insertDigest(tx, scope, digest, deps.clock()));
  }
  return selectPendingPosts(deps.sql, scope);
}
