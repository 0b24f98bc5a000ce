import { dayRange, dayWithWeekday } from '../../format.ts';
import * as icons from '../../parts/icons.ts';
import { RULES } from '../../parts/recommendation.ts';
import { ErrorNotice } from '../../parts/states.tsx';
import type { Insights } from '../../state/insights.ts';
import type { LatestDay } from '../../state/people-days.ts';
import type { Query } from '../../state/query.ts';
import { today as todayTexts } from '../../texts/today.ts';
import { sentenceOf } from './sentence.ts';

const t = todayTexts.sentence;

/** Whether everything is all right, in a sentence; the rules answer after the figures. */
export function Answer(props: { insights: Query<Insights>; latest: LatestDay | undefined }) {
  const { insights, latest } = props;
  const { data, error } = insights.value;
  if (error && !data) return <ErrorNotice error={error} refetch={insights.refetch} />;
  if (!data) {
    return (
      <div class="answer" aria-busy="true">
        <span class="square">
          <icons.activity />
        </span>
        <div class="answer-words">
          <span class="skeleton answer-line" />
          <div class="answer-note">{t.waiting}</div>
        </div>
      </div>
    );
  }
  const against = latest ? dayWithWeekday(latest.against) : '';
  const { tone, lead, text } = sentenceOf(data.recommendations, latest, against);
  const { from, to } = data.window;
  return (
    <div class="answer">
      <span class={`square ${tone}`}>{tone === 'good' ? <icons.check /> : <icons.activity />}</span>
      <div class="answer-words">
        <p class="say">
          <b>{lead}</b> {text}
        </p>
        <div class="answer-note">
          <span>{t.rules(RULES, dayRange(from, to))}</span>
          <a href="/help/insights" target="_blank" rel="noreferrer">
            {t.how}
          </a>
        </div>
      </div>
    </div>
  );
}
