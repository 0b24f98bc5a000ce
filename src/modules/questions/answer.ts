import type { AppContext } from '../../context.ts';
import type { Answer } from './answer.model.ts';
import { answerBySegments } from './by-segments.ts';
import { checkQuestion } from './conditions.ts';
import { answerFunnel } from './funnel/answer.ts';
import { answerLifecycle } from './lifecycle/answer.ts';
import { answerMeasures } from './measures/answer.ts';
import type { Question } from './model.ts';
import { answerPaths } from './paths/answer.ts';
import { resolvePeople } from './people-conditions.ts';
import { resolve } from './resolve/resolve.ts';
import { answerRetention } from './retention/answer.ts';
import { answerSeries } from './series/answer.ts';

export async function answerQuestion(
  ctx: AppContext<'clock' | 'latestExperiment' | 'log' | 'purchaseProfiles' | 'queries' | 'sql'>,
  asked: Question,
): Promise<Answer> {
  checkQuestion(asked);
  const found = await resolvePeople(ctx, asked);
  const resolved = await resolve(ctx, found.question, found.memberships);
  const { question } = resolved;
  const bySegments = answerBySegments(ctx, resolved);
  if (bySegments !== null) return bySegments;
  switch (question.kind) {
    case 'series':
      return answerSeries(ctx, { ...resolved, question });
    case 'funnel':
      return answerFunnel(ctx, { ...resolved, question });
    case 'retention':
      return answerRetention(ctx, { ...resolved, question });
    case 'measures':
      return answerMeasures(ctx, { ...resolved, question });
    case 'lifecycle':
      return answerLifecycle(ctx, { ...resolved, question });
    case 'paths':
      return answerPaths(ctx, { ...resolved, question });
  }
}
