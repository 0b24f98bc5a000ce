import type { CountedPaths } from '../funnel/path-tally.ts';
import { FunnelCounter } from '../funnel/projected.ts';
import type { RangeCounter, Share } from '../projection/share.ts';
import type { RetentionQuestion } from '../retention/model.ts';
import { RetentionCounter } from '../retention/projected.ts';
import { type ProjectedSeries, SeriesCounter } from '../series/projected.ts';
import { SummaryCounter, type SummaryValues } from '../summary/projected.ts';

/** A question that is counted from projections. */
export type CountingTask =
  | { kind: 'funnel'; question: CountedPaths }
  | { kind: 'series'; question: ProjectedSeries }
  | { kind: 'retention'; question: RetentionQuestion }
  | { kind: 'summary'; question: SummaryValues };

export function counterOf(task: CountingTask, share: Share): RangeCounter {
  switch (task.kind) {
    case 'funnel':
      return new FunnelCounter(share, task.question);
    case 'series':
      return new SeriesCounter(share, task.question);
    case 'retention':
      return new RetentionCounter(share, task.question);
    case 'summary':
      return new SummaryCounter(share, task.question);
  }
}
