import { dayRange } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import * as icons from '../../parts/icons.ts';
import { RULES } from '../../parts/recommendation.ts';
import { hasUnchecked, type Insights, worthALook } from '../../state/insights.ts';
import type { LatestDay } from '../../state/people-days.ts';
import type { Query } from '../../state/query.ts';
import { texts } from '../../texts/index.ts';
import { today as todayTexts } from '../../texts/today.ts';
import { sentenceOf } from './sentence.ts';

const t = todayTexts.sentence;

export function Answer(props: {
  insights: Query<Insights>;
  latest: LatestDay | undefined;
  today: string;
}) {
  const { insights, latest, today } = props;
  const { data, error } = insights.value;
  if (error && !data) {
    return (
      <div class="answer" role="alert">
        <span class="square bad">
          <icons.problem />
        </span>
        <div class="answer-words">
          <p class="say">
            <b>{t.failed}</b>
          </p>
          <div class="answer-note">
            <span>
              {error.forbidden ? texts.errors.forbidden : error.message} {error.hint}
            </span>
            {error.requestId && (
              <span>
                {texts.errors.requestId} <code>{error.requestId}</code>
              </span>
            )}
          </div>
        </div>
        {!error.forbidden && (
          <Button compact onClick={insights.refetch}>
            {texts.errors.again}
          </Button>
        )}
      </div>
    );
  }
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
  const found = worthALook(data);
  const { tone, lead, text } = sentenceOf(
    { found, steps: data.funnel?.steps ?? [], hasUnchecked: hasUnchecked(data) },
    latest,
    today,
  );
  const { from, to } = data.window;
  return (
    <div class="answer">
      <span class={`square ${tone}`}>{tone === 'good' ? <icons.check /> : <icons.activity />}</span>
      <div class="answer-words">
        <p class="say">
          <b>{lead}</b> {text}
        </p>
        <div class="answer-note">
          <span>{t.rules(RULES - data.unchecked.length, dayRange(from, to))}</span>
          {hasUnchecked(data) && found.length > 0 && <span>{t.retried}</span>}
          <a href="/help/insights" target="_blank" rel="noreferrer">
            {t.how}
          </a>
        </div>
      </div>
    </div>
  );
}
