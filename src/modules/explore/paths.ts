import type { AppContext } from '../../context.ts';
import { DEFAULT_PATH_NAMES, type PathsAnswer } from '../../query/paths/model.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { timezoneOf } from '../app-settings/index.ts';
import { filtersOf } from '../events/index.ts';
import { forecastFor, judge, MINIMUM_PEOPLE } from '../funnels/index.ts';
import { DEFAULT_WINDOW_DAYS } from './parameters.ts';
import type { PathsQuery, PathsReport } from './paths.model.ts';
import { resolveWindow } from './window.ts';

/** A step of fewer than fifty people would tell what each of them did. */
function stepsOf({ steps, sessions, people }: PathsAnswer): PathsReport['steps'] {
  if (judge(people) !== 'ready') return [];
  return steps.map(({ nodes, links }, index) => ({
    step: index + 1,
    nodes: nodes.map((node) => ({ ...node, share: node.sessions / sessions })),
    links,
  }));
}

/**
 * Three steps from the first event of this name in each session: a session counts once, in which an
 * id or 30 minutes without an event say where it ends.
 */
export async function pathsReport(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  query: PathsQuery,
): Promise<PathsReport> {
  const { name, direction = 'after', names = DEFAULT_PATH_NAMES } = query;
  const { environment = DEFAULT_SCOPE } = query;
  const timezone = await timezoneOf(ctx, query.timezone);
  const window = resolveWindow(query, DEFAULT_WINDOW_DAYS, timezone, ctx.deps.clock());
  const { fromMs, toMs, nowMs } = window;
  const filters = filtersOf(query);
  const answer = await ctx.deps.queries.ask(
    'paths',
    {
      ...{ orgId: ctx.orgId, appId: ctx.app.id, environment, filters, direction },
      names: [name],
      shown: names,
      fromUs: fromMs * 1_000,
      beforeUs: toMs * 1_000,
    },
    { signal: ctx.signal },
  );
  const { sessions, people } = answer;
  const began = { names: [name], filters, environment, fromMs, toMs, nowMs };
  const forecast = await forecastFor(ctx, { ...began, people });
  return {
    window: { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() },
    ...{ name, direction, timezone, environment, sessions, people },
    minimumPeople: MINIMUM_PEOPLE,
    verdict: judge(people),
    steps: stepsOf(answer),
    computedAt: new Date(nowMs).toISOString(),
    dataThrough: new Date(answer.dataThroughMs).toISOString(),
    ...(forecast && { forecast }),
  };
}
