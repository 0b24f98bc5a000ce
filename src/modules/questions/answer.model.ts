import { type Static, Type } from '@sinclair/typebox';
import { FunnelQuestionAnswer } from './funnel/answer.model.ts';
import { LifecycleQuestionAnswer } from './lifecycle/answer.model.ts';
import { MeasuresQuestionAnswer } from './measures/answer.model.ts';
import { PathsQuestionAnswer } from './paths/answer.model.ts';
import { RetentionQuestionAnswer } from './retention/answer.model.ts';
import { SeriesQuestionAnswer } from './series/answer.model.ts';

const SHOWN = { from: '2026-11-14T00:00:00.000Z', to: '2026-11-21T09:30:00.001Z' };
const TOTALS = { people: 212, events: 340, previousPeople: 188, previousEvents: 301 };
const CHANGES = { peopleChange: 0.1277, eventsChange: 0.1296 };
const POINT = { from: SHOWN.from, people: 212, events: 340 };
const EXAMPLE = {
  kind: 'series',
  window: {
    ...SHOWN,
    finishedThrough: '2026-11-21T00:00:00.000Z',
    previousFrom: '2026-11-07T00:00:00.000Z',
  },
  ...{ interval: 'week', timezone: 'Europe/Berlin', environment: 'production' },
  ...{ totals: { ...TOTALS, ...CHANGES }, points: [POINT] },
  series: [{ key: 'searched', totals: { ...TOTALS, ...CHANGES }, points: [POINT] }],
  computedAt: '2026-11-21T09:30:00.000Z',
  dataThrough: '2026-11-21T09:29:58.000Z',
  countedFrom: 7609,
};

export const Answer = Type.Union(
  [
    SeriesQuestionAnswer,
    FunnelQuestionAnswer,
    RetentionQuestionAnswer,
    MeasuresQuestionAnswer,
    LifecycleQuestionAnswer,
    PathsQuestionAnswer,
  ],
  { title: 'Answer', examples: [EXAMPLE] },
);
export type Answer = Static<typeof Answer>;
