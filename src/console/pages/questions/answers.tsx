import { useRef } from 'preact/hooks';
import type { Answer } from '../../../../clients/api/src/index.ts';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { type Ask, questionsOf } from '../../state/ask.ts';
import { faultOf } from '../../state/ask-fault.ts';
import { type Query, useQueries } from '../../state/query.ts';
import { question } from '../../state/use-api.ts';
import type { QuestionSettings } from './settings.ts';

export type Answered = { ask: Ask; answers: readonly Answer[] };

const isAskable = (ask: Ask): boolean =>
  ask.kind !== 'trend' || ask.measure.of !== 'property' || ask.measure.property !== '';

export function useAnswers(settings: QuestionSettings): readonly Query<Answer>[] {
  const { appId, ask, frame, isOpening } = settings;
  return useQueries(
    questionsOf(ask, frame).map((body, index) =>
      question(api.answerQuestion, { id: appId, body }, String(index)),
    ),
    { enabled: isAskable(ask) && !isOpening },
  );
}

export function useAnswered(ask: Ask, queries: readonly Query<Answer>[]): Answered | undefined {
  const last = useRef<Answered>(undefined);
  const isNow = ({ value }: Query<Answer>) => !value.isPrevious && value.data !== undefined;
  if (queries.length > 0 && queries.every(isNow)) {
    last.current = { ask, answers: queries.flatMap(({ value }) => value.data ?? []) };
  }
  return queries.some((query) => query.value.error && !isNow(query)) ? undefined : last.current;
}

/** What is wrong in the question says it there. */
export function Trouble({ queries }: { queries: readonly Query<Answer>[] }) {
  const query = queries.find(({ value }) => value.error) ?? queries[0];
  if (!query || (query.value.error && faultOf(query.value.error))) return null;
  return (
    <Loaded query={query} skeleton={null}>
      {() => null}
    </Loaded>
  );
}
