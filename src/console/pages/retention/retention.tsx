import type { Answer } from '../../../../clients/api/src/index.ts';
import { momentIn } from '../../format.ts';
import { retention as t } from '../../texts/retention.ts';
import { useAnswers } from '../questions/answers.tsx';
import { Door } from '../questions/door.tsx';
import { useQuestionSettings } from '../questions/settings.ts';
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

export function Retention() {
  const settings = useQuestionSettings('retention');
  const queries = useAnswers(settings);
  const answer = queries[0]?.value.data;
  return (
    <Door {...{ settings, queries, title: t.title, question: t.question }} foot={footOf(answer)}>
      <Answers {...{ queries, settings }} />
    </Door>
  );
}
