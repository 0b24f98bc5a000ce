import { useEffect, useRef } from 'preact/hooks';
import type { Answer } from '../../../../clients/api/src/index.ts';
import * as icons from '../../parts/icons.ts';
import { Empty, ErrorNotice, Skeleton } from '../../parts/states.tsx';
import { useModule } from '../../parts/use-module.ts';
import { api } from '../../state/api.ts';
import { type Ask, questionsOf } from '../../state/ask.ts';
import { faultOf } from '../../state/ask-fault.ts';
import { type Query, useQueries } from '../../state/query.ts';
import { questions as t } from '../../texts/questions.ts';
import type { OnPick } from './behind.tsx';
import type { QuestionSettings } from './settings.ts';
import { TrendAnswer } from './trend-answer.tsx';

type Answered = { ask: Ask; answers: readonly Answer[] };

const isAskable = (ask: Ask): boolean =>
  ask.kind !== 'trend' || ask.measure.of !== 'property' || ask.measure.property !== '';

export function useAnswers(settings: QuestionSettings): readonly Query<Answer>[] {
  const { appId, ask, frame, frameBefore, isCompared, isOpening } = settings;
  const asked = questionsOf(ask, frame);
  const before = isCompared && ask.kind === 'funnel' ? questionsOf(ask, frameBefore) : [];
  return useQueries(
    [...asked, ...before].map((body, index) => ({
      of: String(index),
      key: `answer ${appId} ${JSON.stringify(body)}`,
      fetch: (signal) => api.answerQuestion({ id: appId, body }, { signal }),
    })),
    { enabled: isAskable(ask) && !isOpening },
  );
}

const ofKind =
  <K extends Answer['kind']>(kind: K) =>
  (answer: Answer): answer is Extract<Answer, { kind: K }> =>
    answer.kind === kind;

const loadMore = () => import('./by-use.ts');
type More = Awaited<ReturnType<typeof loadMore>>;
type Shown = { answered: Answered; settings: QuestionSettings; onPick: OnPick };

const plot = (
  <section class="card">
    <div class="card-body">
      <Skeleton shape="plot" />
    </div>
  </section>
);

function Shown({ more, ...props }: Shown & { more: More | undefined }) {
  const { range, isCompared } = props.settings;
  const { onPick } = props;
  const { ask, answers } = props.answered;
  switch (ask.kind) {
    case 'trend': {
      const known = [...answers.filter(ofKind('series')), ...answers.filter(ofKind('measures'))];
      return <TrendAnswer {...{ ask, answers: known, range, isCompared, onPick }} />;
    }
    default:
      return more ? <Others {...props} more={more} /> : plot;
  }
}

/** Of kinds that are asked less often. */
function Others({ answered, more, onPick }: Shown & { more: More }) {
  const { ask, answers } = answered;
  switch (ask.kind) {
    case 'trend':
      return null;
    case 'funnel':
      return <more.FunnelAnswer {...{ ask, answers: answers.filter(ofKind('funnel')), onPick }} />;
    case 'retention':
      return (
        <more.RetentionAnswer {...{ ask, answers: answers.filter(ofKind('retention')), onPick }} />
      );
    case 'lifecycle':
      return answers
        .filter(ofKind('lifecycle'))
        .map((answer) => <more.LifecycleAnswer key={answer.kind} {...{ ask, answer, onPick }} />);
    case 'paths':
      return answers
        .filter(ofKind('paths'))
        .map((answer) => <more.PathsAnswer key={answer.kind} answer={answer} />);
  }
}

/** Those whose people are open, which another question closes. */
function usePicked({ ask, frame, isOpening, behind, setBehind }: QuestionSettings) {
  const asked = JSON.stringify([ask, frame]);
  const before = useRef(asked);
  useEffect(() => {
    if (!isOpening && before.current !== asked && behind) setBehind(undefined);
    before.current = asked;
  }, [asked, isOpening]);
  return before.current === asked ? behind : undefined;
}

/** What is wrong in the question says it there. */
export function Answers(props: { queries: readonly Query<Answer>[]; settings: QuestionSettings }) {
  const { queries, settings } = props;
  const last = useRef<Answered>(undefined);
  const picked = usePicked(settings);
  const isMore = settings.ask.kind !== 'trend' || picked !== undefined;
  const { module: more } = useModule(loadMore, isMore);
  const answers = queries.flatMap(({ value }) => (value.isPrevious ? [] : (value.data ?? [])));
  const isCurrent = answers.length === queries.length;
  if (!isAskable(settings.ask)) {
    return (
      <section class="card">
        <Empty icon={icons.trends} title={t.noProperty} text={t.noPropertyText} />
      </section>
    );
  }
  const failed = queries.find(({ value }) => value.error);
  const error = failed?.value.error;
  if (failed && error) {
    return faultOf(error) ? null : <ErrorNotice error={error} refetch={failed.refetch} />;
  }
  if (isCurrent) last.current = { ask: settings.ask, answers };
  if (!last.current) {
    return plot;
  }
  return (
    <>
      <Shown more={more} answered={last.current} settings={settings} onPick={settings.setBehind} />
      {picked && more && (
        <more.PeopleBehind
          {...{ settings, picked }}
          onClose={() => settings.setBehind(undefined)}
        />
      )}
    </>
  );
}
