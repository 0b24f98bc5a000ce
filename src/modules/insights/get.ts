import type { AppContext } from '../../context.ts';
import { limitConcurrency } from '../../shared/concurrency.ts';
import { addDays, PACIFIC, pacificInstant } from '../../shared/pacific.ts';
import { toIso } from '../../shared/time.ts';
import { type Funnel, findDefaultFunnel } from '../funnels/index.ts';
import { countOpenNotices } from '../purchases/index.ts';
import type { FunnelReport } from '../questions/index.ts';
import { readReviewChange } from '../reviews/index.ts';
import { readEventFacts } from './event-facts.ts';
import type { Facts } from './facts.ts';
import { NO_FUNNEL_FACTS, readFunnelFacts, shownReport } from './funnel-facts.ts';
import { judgedFunnel } from './judged.ts';
import { DEFAULT_INSIGHT_DAYS, type Insights, type InsightsQuery } from './model.ts';
import { recommend } from './rules.ts';
import { pacificWindow, readStoreFigures } from './store-facts.ts';
import { readVersionFacts, shownVersions } from './version-facts.ts';

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
