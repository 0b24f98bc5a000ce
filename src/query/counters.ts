import type { CountedPaths } from './funnel/path-tally.ts';
import { FunnelCounter } from './funnel/projected.ts';
import type { RangeCounter, Share } from './projection/share.ts';
import type { RetentionQuestion } from './retention/model.ts';
import { RetentionCounter } from './retention/projected.ts';
import { type ProjectedSeries, SeriesCounter } from './series/projected.ts';
import { SummaryCounter, type SummaryValues } from './summary/projected.ts';
import type { CountingTask } from './threads/messages.ts';

declare module './threads/messages.ts' {
  interface CountingTasks {
    funnel: CountedPaths;
    series: ProjectedSeries;
    retention: RetentionQuestion;
    summary: SummaryValues;
  }
}

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
