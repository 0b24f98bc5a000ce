import { cohorts } from './cohorts/kind.ts';
import { peopleSearch, person, recent } from './events/kind.ts';
import { experiment } from './experiment/kind.ts';
import { funnel, funnelPeople } from './funnel/kind.ts';
import { firstEvent, names, properties, versions } from './inventory/kind.ts';
import type { QuestionKind } from './contract/kind.ts';
import { lifecycle, lifecyclePeople } from './lifecycle/kind.ts';
import { measures } from './measures/kind.ts';
import { paths } from './paths/kind.ts';
import type { CounterOf } from './reading/projection/share.ts';
import type { CountingTasks } from './reading/threads/messages.ts';
import { retention, retentionPeople } from './retention/kind.ts';
import { segment } from './segment/kind.ts';
import type { CountedFrom } from './selection/provenance.ts';
import { series, seriesPeople } from './series/kind.ts';
import { summary } from './summary/kind.ts';

const KINDS = {
  cohorts,
  experiment,
  'first-event': firstEvent,
  funnel,
  'funnel-people': funnelPeople,
  lifecycle,
  'lifecycle-people': lifecyclePeople,
  measures,
  names,
  paths,
  person,
  'people-search': peopleSearch,
  properties,
  recent,
  retention,
  'retention-people': retentionPeople,
  segment,
  series,
  'series-people': seriesPeople,
  summary,
  versions,
};
export type QueryKind = keyof typeof KINDS;
export type QuestionOf<K extends QueryKind> = ReturnType<(typeof KINDS)[K]['question']['parse']>;
export type AnswerOf<K extends QueryKind> = ReturnType<(typeof KINDS)[K]['answer']['parse']> &
  CountedFrom;

export const QUESTIONS: {
  readonly [K in QueryKind]: QuestionKind<QuestionOf<K>, AnswerOf<K>>;
} = KINDS;

export const COUNTED: {
  readonly [K in keyof CountingTasks]: { counter: () => Promise<CounterOf<CountingTasks[K]>> };
} = {
  ...KINDS,
  firsts: { counter: async () => (await import('./reading/projection/firsts.ts')).firstCounter },
  values: {
    counter: async () => (await import('./reading/projection/ranked-values.ts')).valueCounter,
  },
};

export const isQueryKind = (name: string): name is QueryKind => Object.hasOwn(KINDS, name);
