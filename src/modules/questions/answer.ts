import type { AppContext } from '../../context.ts';
import type { Answer } from './answer.model.ts';
import { answerFunnel } from './funnel.ts';
import { withSegments } from './members.ts';
import type { Question } from './model.ts';
import { answerBySegments } from './by-segments.ts';
import { answerLifecycle, answerMeasures, answerPaths } from './of-a-selection.ts';
import { answerRetention } from './retention.ts';
import { answerSeries } from './series.ts';
import { withoutTraits } from './traits.ts';

type Asking = AppContext<
  'clock' | 'latestExperiment' | 'log' | 'purchaseProfiles' | 'queries' | 'sql'
>;

export async function answerQuestion(asking: Asking, asked: Question): Promise<Answer> {
  const { question, memberships } = await withoutTraits(asking, asked);
  const ctx = await withSegments(asking, question, memberships);
  const bySegments = answerBySegments(ctx, question);
  if (bySegments !== null) return bySegments;
  switch (question.kind) {
    case 'series':
      return answerSeries(ctx, question);
    case 'funnel':
      return answerFunnel(ctx, question);
    case 'retention':
      return answerRetention(ctx, question);
    case 'measures':
      return answerMeasures(ctx, question);
    case 'lifecycle':
      return answerLifecycle(ctx, question);
    case 'paths':
      return answerPaths(ctx, question);
  }
}
