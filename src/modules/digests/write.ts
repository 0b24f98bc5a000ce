import { DateTime } from 'luxon';
import type { AppContext, OrgContext, SystemContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { addDays } from '../../shared/pacific.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import {
  type DigestPost,
  type MorningDigestInput,
  morningDigestContract,
} from '../../temporal/contracts/digests.ts';
import { listApps } from '../apps/index.ts';
import { summariseEvents } from '../events/index.ts';
import { getInsights } from '../insights/index.ts';
import { listMarks } from '../marks/index.ts';
import { selectRecentChanges } from '../purchases/index.ts';
import { getAnalytics } from '../sales/index.ts';
import { newsLines } from './formats.ts';
import { type Digest, type DigestMark, MAX_APPS } from './model.ts';
import { MARK_DAYS, pendingMarks } from './pending-marks.ts';
import {
  digestExists,
  insertDigest,
  selectPendingPosts,
  selectSentMarks,
  selectSettings,
} from './queries.ts';

/** Lines of an app; the others are counted. */
const MAX_NEWS = 20;
/** What the store tells late is in the digest of its day all the same. */
const STORE_LATE_HOURS = 1;

/** Sales that are older are no news of this morning. */
const LATEST_SALES_DAYS = 3;

/** Between Temporal's clock and ours. */
const CLOCKS_DIFFER_MS = MINUTE_MS;

type Between = { from: Date; to: Date };

type Needs = 'clock' | 'latestExperiment' | 'queries' | 'rates' | 'salesFigures' | 'sql';

/** Marks of the last seven days of the app's zone that no digest told yet. */
async function marksOf(ctx: AppContext<Needs>, told: readonly DigestMark[]): Promise<DigestMark[]> {
  const { marks } = await listMarks(ctx, { days: MARK_DAYS });
  return pendingMarks(
    marks.map(({ author: _, ...mark }) => mark),
    told,
  );
}

type App = Digest['apps'][number];

/** With news first, then with people; otherwise as they are listed. */
function byNews(apps: readonly App[]): App[] {
  const rank = ({ alerts, news = [], marks = [], people }: App) => {
    if (alerts.length + news.length + marks.length > 0) return 0;
    return people > 0 ? 1 : 2;
  };
  return apps.toSorted((one, other) => rank(one) - rank(other));
}

/** What every app would say of the store's account is said once, as far as any of them has it. */
async function appsOf(
  ctx: OrgContext<Needs>,
  day: string,
  between: Between,
): Promise<Required<Pick<Digest, 'alerts' | 'apps'>>> {
  const apps: App[] = [];
  const ofAccount = new Set<string>();
  // A price may have been told of under an earlier day.
  const days = { from: addDays(day, -2 * MARK_DAYS), to: addDays(day, -1) };
  const told = await selectSentMarks(ctx.deps.sql, ctx.orgId, days);
  for (const app of (await listApps(ctx)).slice(0, MAX_APPS)) {
    if (app.status !== 'active') continue;
    const { people, events } = await summariseEvents({ ...ctx, app }, { days: 1 });
    const marks = await marksOf({ ...ctx, app }, told.get(app.id) ?? []);
    const { recommendations } = await getInsights({ ...ctx, app }, {});
    const found = recommendations.filter(({ severity }) => severity !== 'info');
    for (const { title, detail } of found.filter(isOfAccount)) {
      ofAccount.add(`${title}: ${detail}`);
    }
    const titles = found.filter((one) => !isOfAccount(one)).map(({ title }) => title);
    const scope = { orgId: ctx.orgId, appId: app.id };
    const purchases = await selectRecentChanges(ctx.deps.sql, scope, {
      ...between,
      limit: MAX_NEWS,
    });
    const what = { people, events, alerts: titles, news: newsLines(purchases), marks };
    apps.push({ appId: app.id, name: app.displayName, ...what });
  }
  return { alerts: [...ofAccount], apps: byNews(apps) };
}

const isOfAccount = ({ code }: { code: string }) => code === 'store_days_missing';

/**
 * The newest Pacific day that the store has reported: it does so in its own morning, which in Europe
 * is the afternoon and in America comes after the digest. Null while it reports nothing.
 */
async function salesOf(ctx: OrgContext<Needs>): Promise<Digest['sales']> {
  const { series } = await getAnalytics(ctx, { days: LATEST_SALES_DAYS });
  const day = series.findLast(({ covered }) => covered)?.day;
  if (day === undefined) return null;
  const { totals, currency, byApp, unconverted } = await getAnalytics(ctx, { from: day, to: day });
  if (byApp.length === 0) return null;
  const { downloads, proceedsMinor } = totals;
  return { day, downloads, proceedsMinor, currency, unconverted };
}

/**
 * Writes the digest of the day on which its run began, in the organization's zone, unless that day
 * has one. Returns what is to be sent and was not; nothing when digests were switched off.
 */
export async function writeDigest(
  { deps, requestId }: SystemContext<Needs | 'temporal'>,
  { orgId, startedMs }: MorningDigestInput & { startedMs: number },
): Promise<DigestPost[]> {
  const settings = await selectSettings(deps.sql, orgId);
  if (!settings) {
    // The organization is gone, and its rows with it: its schedule is the last of it.
    await deps.temporal.unschedule(morningDigestContract, { orgId });
    return [];
  }
  if (!settings.isOn) return [];
  if (!(startedMs < deps.clock().getTime() + CLOCKS_DIFFER_MS)) {
    throw new AppError('conflict', 'The morning of this digest has not come.');
  }
  const started = DateTime.fromMillis(startedMs, { zone: settings.timezone });
  const day = started.toFormat('yyyy-MM-dd');
  // From hour to hour of the zone, so that every purchase is in one digest.
  const to = started.startOf('day').set({ hour: settings.hour - STORE_LATE_HOURS });
  const between = { from: to.minus({ days: 1 }).toJSDate(), to: to.toJSDate() };
  const scope = { orgId, day };
  if (!(await digestExists(deps.sql, scope))) {
    const ctx = { deps, requestId, orgId, actor: { kind: 'system' as const } };
    const digest = { day, sales: await salesOf(ctx), ...(await appsOf(ctx, day, between)) };
    await deps.sql.begin((tx) => insertDigest(tx, scope, digest, deps.clock()));
  }
  return selectPendingPosts(deps.sql, scope);
}
