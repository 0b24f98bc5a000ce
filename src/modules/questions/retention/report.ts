import type { AppContext } from '../../../context.ts';
import { neverSentHint } from '../../events/index.ts';
import { resolve } from '../resolve/resolve.ts';
import { answerRetention } from './answer.ts';
import type { RetentionReport } from './answer.model.ts';
import type { RetentionQuery, RetentionQuestion } from './question.ts';

export const toRetention = ({
  startName,
  returnName,
  ...query
}: RetentionQuery): RetentionQuestion => ({
  ...{ ...query, kind: 'retention' },
  ...(startName !== undefined && { start: { events: [startName] } }),
  ...(returnName !== undefined && { return: { events: [returnName] } }),
});

export async function readRetention(
  ctx: AppContext<'clock' | 'latestExperiment' | 'log' | 'queries' | 'sql'>,
  query: RetentionQuery,
): Promise<RetentionReport> {
  const resolved = await resolve(ctx, toRetention(query));
  const { kind: _, breakdown: _of, ...report } = await answerRetention(ctx, resolved);
  const { startName, returnName } = query;
  const cells = report.cohorts.flatMap(({ periods }) => periods);
  const nobodyReturned = cells.every((cell) => cell === null || !cell.returned);
  const notFound = [
    ...(startName !== undefined && report.people === 0 ? [{ event: startName }] : []),
    ...(returnName !== undefined && nobodyReturned ? [{ event: returnName }] : []),
  ];
  return { ...report, ...(await neverSentHint(ctx, notFound, report.environment)) };
}
