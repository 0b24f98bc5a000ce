import type { AppContext } from '../../context.ts';
import type { FunnelAnswer, FunnelQuestion } from '../../query/funnel/model.ts';
import { compareVersions, isVersion } from '../../shared/app-version.ts';
import { must } from '../../shared/assert.ts';
import { startOfDay } from '../../shared/calendar.ts';
import { addDays, pacificInstant } from '../../shared/pacific.ts';
import { msToIso } from '../../shared/ms-to-iso.ts';
import { HOUR_MS, SECOND_MS } from '../../shared/time.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { resolveTimezone } from '../app-settings/index.ts';
import { type Funnel, windowHours } from '../funnels/index.ts';
import { listMarks } from '../marks/index.ts';
import { groupFigures } from '../questions/index.ts';
import type { PeopleByPlatform, Versions } from './facts.ts';
import type { InsightVersions } from './model.ts';
import { findFalls } from './versions.ts';

type Needs = 'clock' | 'log' | 'queries' | 'sql';
type Window = { from: string; to: string; days: number };
type Input = {
  funnel: Funnel;
  window: Window;
  /** An organization has few places for questions. */
  after?: Promise<unknown>;
};
type Span = { fromMs: number; toMs: number; hours: number };

export type VersionFacts = Versions & Pick<InsightVersions, 'window' | 'hours'>;

/** The same for old and new versions, and soon over. */
const HOURS_TO_CONVERT = 24;
const MAX_FALLS = 3;
const MAX_ENTRIES = 1_000;
const MAX_MARK_DAYS = 400;
/** Within the time of a request, which the other figures have too. */
const ANSWERED_WITHIN_MS = 20 * SECOND_MS;

async function askFunnel(
  { deps, orgId, app, signal }: AppContext<Needs>,
  { steps }: Funnel,
  { fromMs, toMs, hours }: Span,
  by: Pick<FunnelQuestion, 'breakdown' | 'filters'>,
): Promise<NonNullable<FunnelAnswer['breakdown']>> {
  const question: FunnelQuestion = {
    orgId,
    appId: app.id,
    steps: steps.map(({ event, where }) => ({ event, ...(where && { where }) })),
    fromUs: fromMs * 1_000,
    startBeforeUs: toMs * 1_000,
    windowUs: hours * HOUR_MS * 1_000,
    newPeopleOnly: true,
    firstStartOnly: true,
    trendFromUs: null,
    ...by,
  };
  const { breakdown } = await deps.queries.ask('funnel', question, { signal });
  return must(breakdown, 'the question asks for it');
}

async function readFigures(
  ctx: AppContext<Needs>,
  funnel: Funnel,
  span: Span,
): Promise<Versions['figures']> {
  const by = { breakdown: { kind: 'appVersion' }, filters: {} } as const;
  const groups = await askFunnel(ctx, funnel, span, by);
  return groups
    .flatMap(({ value, tally }) =>
      value !== null && isVersion(value)
        ? [{ appVersion: value, ...groupFigures(funnel.steps, tally) }]
        : [],
    )
    .toSorted((one, other) => compareVersions(one.appVersion, other.appVersion));
}

async function readPlatforms(
  ctx: AppContext<Needs>,
  funnel: Funnel,
  span: Span,
  appVersion: string,
): Promise<PeopleByPlatform> {
  const by = { breakdown: { kind: 'platform' }, filters: { appVersion } } as const;
  const groups = await askFunnel(ctx, funnel, span, by);
  return new Map(groups.map(({ value, tally }) => [value ?? '', tally.people]));
}

async function firstSeenOn(
  ctx: AppContext<Needs>,
  { days }: Window,
): Promise<Versions['firstSeenOn']> {
  const { marks } = await listMarks(ctx, { days: Math.min(days + 2, MAX_MARK_DAYS) });
  return new Map(
    marks.flatMap(({ kind, appVersion, day }) =>
      kind !== 'version' || appVersion === undefined ? [] : [[appVersion, day]],
    ),
  );
}

async function readYesterday(ctx: AppContext<Needs>): Promise<NonNullable<Versions['yesterday']>> {
  const { deps, orgId, app, signal } = ctx;
  const timezone = await resolveTimezone(ctx, undefined);
  const todayMs = startOfDay(deps.clock().getTime(), timezone);
  const { people, versions } = await deps.queries.ask(
    'summary',
    {
      orgId,
      appId: app.id,
      fromUs: startOfDay(todayMs, timezone, -1) * 1_000,
      beforeUs: todayMs * 1_000,
      limit: MAX_ENTRIES,
    },
    { signal },
  );
  return { people, byVersion: new Map(versions.map((each) => [each.value, each.people])) };
}

async function askVersions(
  ctx: AppContext<Needs>,
  { funnel, window, after }: Input,
): Promise<VersionFacts | null> {
  await after;
  const { deps, scope } = ctx;
  const ofApp = await windowHours(deps.sql, scope);
  const hours = Math.min(ofApp, HOURS_TO_CONVERT);
  const fromMs = pacificInstant(window.from, 0).getTime();
  const endMs = pacificInstant(addDays(window.to, 1), 0).getTime();
  const toMs = Math.min(endMs, deps.clock().getTime() - hours * HOUR_MS);
  if (fromMs >= toMs) return null;
  const span = { fromMs, toMs, hours };
  const figures = await readFigures(ctx, funnel, span);
  const falls = findFalls(figures).slice(0, MAX_FALLS);
  const asked = { figures, hours, window: { from: msToIso(fromMs), to: msToIso(toMs) } };
  if (falls.length === 0) {
    return { ...asked, platforms: new Map(), firstSeenOn: new Map(), yesterday: null };
  }
  // One after the other, in one place.
  const platforms = new Map<string, PeopleByPlatform>();
  for (const { appVersion } of falls.flatMap(({ worse, before }) => [worse, before])) {
    if (platforms.has(appVersion)) continue;
    platforms.set(appVersion, await readPlatforms(ctx, funnel, span, appVersion));
  }
  const seen = await firstSeenOn(ctx, window);
  return { ...asked, platforms, firstSeenOn: seen, yesterday: await readYesterday(ctx) };
}

export const shownVersions = ({ window, hours, figures }: VersionFacts): InsightVersions => ({
  window,
  hours,
  figures: figures.map(({ appVersion, people, verdict, steps }) => ({
    ...{ appVersion, people, verdict },
    steps: steps.map((step) => ({
      ...{ index: step.index, people: step.people },
      rateFromPrevious: step.rateFromPrevious,
      rateFromPreviousLow: step.rateFromPreviousLow,
      rateFromPreviousHigh: step.rateFromPreviousHigh,
    })),
  })),
});

/** No insight fails or waits for its versions. */
export async function readVersionFacts(
  ctx: AppContext<Needs>,
  input: Input,
  withinMs = ANSWERED_WITHIN_MS,
): Promise<VersionFacts | 'late' | null> {
  const late = AbortSignal.timeout(withinMs);
  const signal = ctx.signal ? AbortSignal.any([ctx.signal, late]) : late;
  try {
    return await withTimeout(askVersions({ ...ctx, signal }, input), withinMs);
  } catch (thrown) {
    if (!ctx.signal?.aborted) ctx.deps.log.warn({ err: thrown }, 'no versions for insights');
    return 'late';
  }
}
