import type { AppContext } from '../../context.ts';
import { limitConcurrency } from '../../shared/concurrency.ts';
import { addDays, PACIFIC, pacificInstant } from '../../shared/pacific.ts';
import { toIso, DAY_MS } from '../../shared/time.ts';
import { readIngestion, summariseEvents } from '../events/index.ts';
import { type Funnel, findDefaultFunnel } from '../funnels/index.ts';
import { countOpenNotices } from '../purchases/index.ts';
import type { FunnelReport } from '../questions/index.ts';
import { readReviewChange } from '../reviews/index.ts';
import type { Facts } from './facts.ts';
import { NO_FUNNEL_FACTS, readFunnelFacts, shownReport, judgedFunnel } from './funnel-facts.ts';
import { DEFAULT_INSIGHT_DAYS, type Insights, type InsightsQuery } from './model.ts';
import { recommend } from './rules.ts';
import { pacificWindow, readStoreFigures } from './store-facts.ts';
import { readVersionFacts, shownVersions } from './version-facts.ts';

const DAYS_READ = 15;
const WEEK_MS = 7 * DAY_MS;

async function readEventFacts(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  days: number,
): Promise<Facts['events']> {
  const [summary, { hours }] = await Promise.all([
    summariseEvents(ctx, { days }),
    readIngestion(ctx, { days: DAYS_READ }),
  ]);
  const nowMs = ctx.deps.clock().getTime();
  const between = (fromMs: number, toMs: number) =>
    hours.filter(({ hour }) => {
      const atMs = new Date(hour).getTime();
      return atMs >= fromMs && atMs < toMs;
    });
  const count = (fromMs: number, toMs: number) =>
    between(fromMs, toMs).reduce((sum, { accepted }) => sum + accepted, 0);
  const dayAgoMs = nowMs - DAY_MS;
  const lastMs = summary.lastEventAt === null ? nowMs : new Date(summary.lastEventAt).getTime();
  return {
    people: summary.people,
    firstEventAt: summary.firstEventAt,
    lastEventAt: summary.lastEventAt,
    lastDay: count(dayAgoMs, nowMs + DAY_MS),
    weekBefore: count(lastMs - WEEK_MS, Math.max(dayAgoMs, lastMs)),
    activeHours: between(lastMs - WEEK_MS, lastMs).filter(({ accepted }) => accepted > 0).length,
    names: new Map(summary.names.map(({ name, people }) => [name, people])),
  };
}

function shownFacts(
  funnel: Funnel | null,
  report: FunnelReport | null,
  names: Facts['events']['names'],
  endsAt: Date,
): Facts['shown'] {
  const first = funnel?.steps[0];
  if (!first || !report) return null;
  return { people: report.people, endsAt, withFirstStep: names.get(first.event) ?? 0 };
}

const atOnce = <T>(read: () => Promise<T>): Promise<T> => read();
const inTurn = () => limitConcurrency(1);

type Needs = 'clock' | 'latestExperiment' | 'log' | 'queries' | 'rates' | 'salesFigures' | 'sql';

type Input = InsightsQuery & {
  /** Costs questions; without it no fall of a version is found. */
  withVersions?: boolean;
  isInBackground?: boolean;
};

export async function getInsights(
  ctx: AppContext<Needs>,
  { days = DEFAULT_INSIGHT_DAYS, withVersions = true, isInBackground = false }: Input,
): Promise<Insights> {
  const { deps, orgId, app, scope } = ctx;
  const now = deps.clock();
  const window = pacificWindow(now, days);
  const startsAt = pacificInstant(window.from, 0);
  const endsAt = pacificInstant(addDays(window.to, 1), 0);
  const funnel = await findDefaultFunnel(deps.sql, scope);
  const next = isInBackground ? inTurn() : atOnce;
  const readEvents = next(() => readEventFacts(ctx, window.days));
  const [eventFacts, store, shown, funnelFacts, asked] = await Promise.all([
    readEvents,
    next(() => readStoreFigures(ctx, window.days)),
    funnel && next(() => shownReport(ctx, funnel, window)),
    funnel ? next(() => readFunnelFacts(ctx, funnel, window)) : NO_FUNNEL_FACTS,
    funnel && withVersions
      ? next(() => readVersionFacts(ctx, { funnel, window, after: readEvents }))
      : null,
  ]);
  const { activeHours: _, names, ...events } = eventFacts;
  const versions = asked === 'late' ? null : asked;
  const reviews =
    app.storeAppId === null
      ? null
      : await readReviewChange(deps, { orgId, storeAppId: app.storeAppId });
  const notices = await countOpenNotices(deps.sql, scope);
  return {
    appId: app.id,
    window: { ...window, fromAt: toIso(startsAt), toAt: toIso(endsAt), timezone: PACIFIC },
    events,
    store,
    funnel: shown,
    judged: judgedFunnel(funnelFacts),
    versions: versions && shownVersions(versions),
    reviews,
    recommendations: recommend({
      now,
      events: eventFacts,
      shown: shownFacts(funnel, shown, names, endsAt),
      store,
      versions,
      reviews,
      notices,
      ...funnelFacts,
    }),
    unchecked: asked === 'late' ? ['version_conversion'] : [],
  };
}
