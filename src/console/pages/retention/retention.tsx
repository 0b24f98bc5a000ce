import { useEffect, useRef } from 'preact/hooks';
import type { Answer } from '../../../../clients/api/src/index.ts';
import { momentIn } from '../../format.ts';
import { Skeleton } from '../../parts/states.tsx';
import { useModule } from '../../parts/use-module.ts';
import { api } from '../../state/api.ts';
import { firstOf } from '../../state/ask.ts';
import { MAX_EVENTS } from '../../state/filter-rules.ts';
import type { Query } from '../../state/query.ts';
import { useApi } from '../../state/use-api.ts';
import { retention as t } from '../../texts/retention.ts';
import { type Answered, Trouble, useAnswered, useAnswers } from '../questions/answers.tsx';
import type { OnPick } from '../questions/behind.tsx';
import { Door } from '../questions/door.tsx';
import { type QuestionSettings, useQuestionSettings } from '../questions/settings.ts';

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

function Answers(props: { queries: readonly Query<Answer>[]; settings: QuestionSettings }) {
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

function footOf(answer: Answer | undefined) {
  if (!answer) return [];
  const { timezone, dataThrough, countedFrom } = answer;
  const through = t.foot.through(timezone, momentIn(dataThrough, timezone), countedFrom);
  if (answer.kind !== 'retention') return [through];
  const { clock, cohorts, minimumPeople } = answer;
  const hasFew = cohorts.some((one) => one.people > 0 && one.people < minimumPeople);
  return [
    t.foot.unfinished,
    t.foot.mean,
    hasFew && t.foot.few(minimumPeople),
    clock === 'hours' && t.foot.hours,
    through,
  ];
}

/** Names that the app never sent, as Trends tells. */
function useHint({ appId, ask, range, environment }: QuestionSettings, isAnswered: boolean) {
  const asked = ask.kind === 'retention' ? [...ask.starts, ask.return] : [firstOf(ask)];
  const names = [...new Set(asked.flatMap(({ events = [] }) => events))]
    .slice(0, MAX_EVENTS)
    .join();
  const query = { ...range.query, environment, names, compare: false };
  const enabled = isAnswered && names !== '';
  const { data } = useApi(api.getEventSeries, { id: appId, query }, { enabled }).value;
  return enabled ? data?.hint : undefined;
}

export function Retention() {
  const settings = useQuestionSettings('retention');
  const queries = useAnswers(settings);
  const answer = queries[0]?.value.data;
  const hint = useHint(settings, answer !== undefined);
  return (
    <Door {...{ settings, queries, title: t.title, question: t.question }} foot={footOf(answer)}>
      {hint && <p class="notice">{hint}</p>}
      <Answers {...{ queries, settings }} />
    </Door>
  );
}
