import type { AppContext } from '../../../context.ts';
import { forecastFor, neverSentHint } from '../../events/index.ts';
import { toSelection } from '../resolve/parameters.model.ts';
import { resolve } from '../resolve/resolve.ts';
import { answerPaths } from './answer.ts';
import type { PathsReport } from './answer.model.ts';
import type { PathsQuery, PathsQuestion } from './question.ts';

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
