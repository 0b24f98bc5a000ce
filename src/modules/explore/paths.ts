import type { AppContext } from '../../context.ts';
import {
  DEFAULT_PATH_NAMES,
  type PathsAnswer,
  type PathsQuestion,
} from '../../query/paths/model.ts';
import { provenanceOf } from '../../query/selection/provenance.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { resolveTimezone } from '../app-settings/index.ts';
import { toFilters } from '../events/index.ts';
import { forecastFor } from '../funnels/index.ts';
import { MINIMUM_PEOPLE } from '../../shared/statistics/minimum.ts';
import { judge } from '../../shared/statistics/verdict.ts';
import { DEFAULT_WINDOW_DAYS, type WindowParameters } from './parameters.model.ts';
import type { PathsQuery, PathsReport } from './paths.model.ts';
import { resolveWindow } from './rules/window.ts';

/** A step of fewer than fifty people would tell what each of them did. */
function toSteps({ steps, sessions, people }: PathsAnswer): PathsReport['steps'] {
  if (judge(people) !== 'ready') return [];
  return steps.map(({ nodes, links }, index) => ({
    step: index + 1,
    nodes: nodes.map((node) => ({ ...node, share: node.sessions / sessions })),
    links,
  }));
}

export type WindowedPaths = WindowParameters & {
  events: Pick<PathsQuestion, 'filters' | 'names' | 'where'>;
  direction?: PathsReport['direction'] | undefined;
  shown?: number | undefined;
};

export async function countedPaths(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  query: WindowedPaths,
): Promise<Omit<PathsReport, 'name'>> {
  const { events, direction = 'after', shown = DEFAULT_PATH_NAMES } = query;
  const { environment = DEFAULT_SCOPE } = query;
  const timezone = await resolveTimezone(ctx, query.timezone);
  const window = resolveWindow(query, DEFAULT_WINDOW_DAYS, timezone, ctx.deps.clock());
  const { fromMs, toMs, nowMs } = window;
  const answer = await ctx.deps.queries.ask(
    'paths',
    {
      ...{ orgId: ctx.orgId, appId: ctx.app.id, environment, direction, shown },
      ...events,
      ...{ fromUs: fromMs * 1_000, beforeUs: toMs * 1_000 },
    },
    { signal: ctx.signal },
  );
  const { sessions, people } = answer;
  return {
    window: { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() },
    ...{ direction, timezone, environment, sessions, people },
    minimumPeople: MINIMUM_PEOPLE,
    verdict: judge(people),
    steps: toSteps(answer),
    computedAt: new Date(nowMs).toISOString(),
    ...provenanceOf(answer),
  };
}

export async function pathsReport(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  query: PathsQuery,
): Promise<PathsReport> {
  const { name, names, ...more } = query;
  const events = { names: [name], filters: toFilters(query) };
  const report = await countedPaths(ctx, { ...more, events, shown: names });
  const { people, environment, window, computedAt } = report;
  const forecast = await forecastFor(ctx, {
    ...{ ...events, environment, people },
    fromMs: Date.parse(window.from),
    toMs: Date.parse(window.to),
    nowMs: Date.parse(computedAt),
  });
  return { ...report, name, ...(forecast && { forecast }) };
}
