import type { AppContext } from '../../context.ts';
import { countedRetention } from '../explore/index.ts';
import type { Answer } from './answer.model.ts';
import { nameGroups, resolveBreakdowns } from './breakdown.ts';
import type { RetentionQuestion } from './model.ts';
import type { Selection } from './selection.model.ts';
import { checkSelection, isByName } from './selections.ts';

/** Names are counted quickest. */
function toNames(start: Selection, comingBack: Selection) {
  const [startName] = start.events ?? [];
  const [returnName] = comingBack.events ?? [];
  if (!isByName(start) || !isByName(comingBack)) return { start, return: comingBack };
  return {
    ...(startName !== undefined && { startName }),
    ...(returnName !== undefined && { returnName }),
  };
}

export async function answerRetention(
  ctx: AppContext<'clock' | 'latestExperiment' | 'queries' | 'sql'>,
  question: RetentionQuestion,
): Promise<Extract<Answer, { kind: 'retention' }>> {
  const { kind, start = {}, return: comingBack = {}, breakdown, ...parameters } = question;
  checkSelection(start, 'start');
  checkSelection(comingBack, 'return');
  const [asked] = await resolveBreakdowns(ctx, breakdown);
  const { report, groups, bounds } = await countedRetention(ctx, {
    ...parameters,
    ...toNames(start, comingBack),
    ...(asked && { breakdown: asked.by }),
  });
  const named = groups && nameGroups(groups, asked);
  return { kind, ...report, ...(named && { breakdown: named }), ...(bounds && { bounds }) };
}
