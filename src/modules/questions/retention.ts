import type { AppContext } from '../../context.ts';
import { checkConditions } from '../../query/selection/conditions.ts';
import { retentionReport } from '../explore/index.ts';
import type { Answer } from './answer.model.ts';
import type { RetentionQuestion } from './model.ts';
import type { Selection } from './selection.model.ts';
import { isByName } from './selections.ts';

/** Names are counted quickest. */
function namesOf(start: Selection, comingBack: Selection) {
  const [startName] = start.events ?? [];
  const [returnName] = comingBack.events ?? [];
  if (!isByName(start) || !isByName(comingBack)) return { start, return: comingBack };
  return {
    ...(startName !== undefined && { startName }),
    ...(returnName !== undefined && { returnName }),
  };
}

export async function answerRetention(
  ctx: AppContext<'clock' | 'queries' | 'sql'>,
  question: RetentionQuestion,
): Promise<Extract<Answer, { kind: 'retention' }>> {
  const { kind, start = {}, return: comingBack = {}, ...parameters } = question;
  if (start.where) checkConditions(start.where, 'start.where');
  if (comingBack.where) checkConditions(comingBack.where, 'return.where');
  const report = await retentionReport(ctx, { ...parameters, ...namesOf(start, comingBack) });
  return { kind, ...report };
}
