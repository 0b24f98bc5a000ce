import { useEffect, useRef } from 'preact/hooks';
import type { Answer } from '../../../../clients/api/src/index.ts';
import { Skeleton } from '../../parts/states.tsx';
import { useModule } from '../../parts/use-module.ts';
import type { Query } from '../../state/query.ts';
import { type Answered, Trouble, useAnswered } from '../questions/answers.tsx';
import type { OnPick } from '../questions/behind.tsx';
import type { QuestionSettings } from '../questions/settings.ts';

const ofKind =
  <K extends Answer['kind']>(kind: K) =>
  (answer: Answer): answer is Extract<Answer, { kind: K }> =>
    answer.kind === kind;

const loadMore = () => import('./by-use.ts');
type More = Awaited<ReturnType<typeof loadMore>>;
type Shown = { answered: Answered; onPick: OnPick };

const plot = (
  <section class="card">
    <div class="card-body">
      <Skeleton shape="plot" />
    </div>
  </section>
);

function Shown({ answered, more, onPick }: Shown & { more: More }) {
  const { ask, answers } = answered;
  switch (ask.kind) {
    case 'trend':
    case 'funnel':
      return null;
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

export function Answers(props: { queries: readonly Query<Answer>[]; settings: QuestionSettings }) {
  const { queries, settings } = props;
  const picked = usePicked(settings);
  const { module: more } = useModule(loadMore);
  const answered = useAnswered(settings.ask, queries);
  const hasFailed = queries.some(({ value }) => value.error);
  return (
    <>
      <Trouble queries={queries} />
      {answered && more ? (
        <Shown {...{ more, answered }} onPick={settings.setBehind} />
      ) : (
        !hasFailed && plot
      )}
      {answered && picked && more && (
        <more.PeopleBehind
          {...{ settings, picked }}
          onClose={() => settings.setBehind(undefined)}
        />
      )}
    </>
  );
}
