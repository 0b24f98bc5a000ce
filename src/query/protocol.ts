import { join } from 'node:path';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { OneOf, type Parser, parser } from '../shared/schema.ts';
import { PeopleAnswer, RetentionPeopleQuestion, SeriesPeopleQuestion } from './behind/model.ts';
import {
  PersonAnswer,
  PersonQuestion,
  RecentAnswer,
  RecentQuestion,
  SearchAnswer,
  SearchQuestion,
} from './events/model.ts';
import { ExperimentAnswer, ExperimentQuestion } from './experiment/model.ts';
import { QUERY_FAILURES } from './failure.ts';
import { FirstEventAnswer, FirstEventQuestion } from './first-event/model.ts';
import {
  FunnelAnswer,
  FunnelPeopleAnswer,
  FunnelPeopleQuestion,
  FunnelQuestion,
} from './funnel/model.ts';
import { NamesAnswer, NamesQuestion } from './names/model.ts';
import { PropertiesAnswer, PropertiesQuestion } from './properties/model.ts';
import { RetentionAnswer, RetentionQuestion } from './retention/model.ts';
import { SeriesAnswer, SeriesQuestion } from './series/model.ts';
import { SummaryAnswer, SummaryQuestion } from './summary/model.ts';
import { VersionsAnswer, VersionsQuestion } from './versions/model.ts';

const kind = <Q extends TSchema, A extends TSchema>(question: Q, answer: A) => ({
  question: parser(question, 'question to a query process'),
  answer: parser(answer, 'answer of a query process'),
});

/**
 * Between the API and the query processes: HTTP over a unix socket, one POST a question, the kind
 * of the question in the path.
 */
const KINDS = {
  experiment: kind(ExperimentQuestion, ExperimentAnswer),
  'first-event': kind(FirstEventQuestion, FirstEventAnswer),
  funnel: kind(FunnelQuestion, FunnelAnswer),
  'funnel-people': kind(FunnelPeopleQuestion, FunnelPeopleAnswer),
  names: kind(NamesQuestion, NamesAnswer),
  person: kind(PersonQuestion, PersonAnswer),
  'people-search': kind(SearchQuestion, SearchAnswer),
  properties: kind(PropertiesQuestion, PropertiesAnswer),
  recent: kind(RecentQuestion, RecentAnswer),
  retention: kind(RetentionQuestion, RetentionAnswer),
  'retention-people': kind(RetentionPeopleQuestion, PeopleAnswer),
  series: kind(SeriesQuestion, SeriesAnswer),
  'series-people': kind(SeriesPeopleQuestion, PeopleAnswer),
  summary: kind(SummaryQuestion, SummaryAnswer),
  versions: kind(VersionsQuestion, VersionsAnswer),
};
export type QueryKind = keyof typeof KINDS;
export type QuestionOf<K extends QueryKind> = ReturnType<(typeof KINDS)[K]['question']['parse']>;
export type AnswerOf<K extends QueryKind> = ReturnType<(typeof KINDS)[K]['answer']['parse']>;

export const QUESTIONS: {
  readonly [K in QueryKind]: { question: Parser<QuestionOf<K>>; answer: Parser<AnswerOf<K>> };
} = KINDS;

export const isQueryKind = (name: string): name is QueryKind => Object.hasOwn(KINDS, name);

export const QueryReply = Type.Union([
  Type.Object({ answer: Type.Unknown() }),
  Type.Object({ fault: OneOf(QUERY_FAILURES), message: Type.String() }),
]);
export type QueryReply = Static<typeof QueryReply>;

export const queryReply = parser(QueryReply, 'reply of a query process');

/** Where query process `index` of this host listens. */
export function querySocket(runDir: string, index: number): string {
  return join(runDir, `query-${index}.sock`);
}
