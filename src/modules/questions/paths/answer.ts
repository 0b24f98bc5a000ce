import type { AppContext } from '../../../context.ts';
import { DEFAULT_PATH_NAMES, type PathsAnswer } from '../../../query/paths/model.ts';
import { provenanceOf } from '../../../query/selection/provenance.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { judge } from '../../../shared/statistics/verdict.ts';
import { forecastFor, neverSentHint } from '../../events/index.ts';
import { toSelection } from '../resolve/parameters.model.ts';
import { resolve } from '../resolve/resolve.ts';
import { ask, ofSelection, type Resolved } from '../resolve/resolved.ts';
import { DEFAULT_WINDOW_DAYS, resolveWindow } from '../resolve/window.ts';
import type { PathsQuestionAnswer, PathsReport } from './answer.model.ts';
import type { PathsQuestion, PathsQuery } from './question.ts';

export async function readPaths(
  ctx: AppContext<'clock' | 'latestExperiment' | 'log' | 'queries' | 'sql'>,
  query: PathsQuery,
): Promise<PathsReport> {
  const { selection, filters } = toSelection(query);
  const question: PathsQuestion = { ...query, kind: 'paths', selection };
  const resolved = await resolve(ctx, question);
  const { kind: _, ...report } = await answerPaths(ctx, resolved);
  const { people, environment, window } = report;
  const [fromMs, toMs] = [Date.parse(window.from), Date.parse(window.to)];
  const nowMs = resolved.now.getTime();
  const beginning = { selection, environment, fromMs, toMs, nowMs };
  const forecast = await forecastFor(ctx, { ...beginning, people });
  const notFound = [{ event: query.name, ...filters.property }];
  return {
    ...{ ...report, name: query.name, ...(forecast && { forecast }) },
    ...(people === 0 && (await neverSentHint(ctx, notFound, environment))),
  };
}

/** A step of fewer than fifty people would tell what each of them did. */
function toSteps({ steps, sessions, people }: PathsAnswer): PathsReport['steps'] {
  if (judge(people) !== 'ready') return [];
  return steps.map(({ nodes, links }, index) => ({
    step: index + 1,
    nodes: nodes.map((node) => ({ ...node, share: node.sessions / sessions })),
    links,
  }));
}

export async function answerPaths(
  ctx: AppContext<'queries'>,
  resolved: Resolved<PathsQuestion>,
): Promise<PathsQuestionAnswer> {
  const { question, timezone, environment, now } = resolved;
  const { kind, selection, direction = 'after', names: shown = DEFAULT_PATH_NAMES } = question;
  const { fromMs, toMs } = resolveWindow(question, DEFAULT_WINDOW_DAYS, timezone, now);
  const answer = await ask(ctx, 'paths', {
    ...{ ...ofSelection(ctx, resolved, selection), direction, shown },
    ...{ fromUs: fromMs * 1_000, beforeUs: toMs * 1_000 },
  });
  const { sessions, people } = answer;
  return {
    kind,
    window: { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() },
    ...{ direction, timezone, environment, sessions, people },
    minimumPeople: MINIMUM_PEOPLE,
    verdict: judge(people),
    steps: toSteps(answer),
    computedAt: now.toISOString(),
    ...provenanceOf(answer),
  };
}
