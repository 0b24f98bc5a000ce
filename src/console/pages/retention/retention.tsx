import type { Answer } from '../../../../clients/api/src/index.ts';
import { momentIn } from '../../format.ts';
import { api } from '../../state/api.ts';
import { firstOf } from '../../state/ask.ts';
import { MAX_EVENTS } from '../../state/filter-rules.ts';
import { useApi } from '../../state/use-api.ts';
import { retention as t } from '../../texts/retention.ts';
import { useAnswers } from '../questions/answers.tsx';
import { Door } from '../questions/door.tsx';
import { type QuestionSettings, useQuestionSettings } from '../questions/settings.ts';
import { Answers } from './answers.tsx';

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
