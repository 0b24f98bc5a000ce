import type { Answer, Question } from '../../../../clients/api/src/index.ts';
import { duration, exactNumber, locale, rate, shortNumber } from '../../format.ts';
import { type ChartSeries, type Format, FunnelRows, TimeChart } from '../../parts/chart/index.ts';
import { Loaded } from '../../parts/states.tsx';
import { api, orNull } from '../../state/api.ts';
import { dayOf } from '../../state/days.ts';
import { useQuery } from '../../state/query.ts';
import { asking } from '../../texts/asking.ts';
import { today as todayTexts } from '../../texts/today.ts';
import { linesOf, ReturnCurve } from './pinned-cards.tsx';
import { Groups } from './pinned-groups.tsx';

const t = todayTexts.pins;

const HEIGHT_PX = 196;
const COUNTS: Format = { show: exactNumber, tick: shortNumber, isWhole: true };
const LENGTHS: Format = { show: duration, tick: duration };
const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
const NUMBERS: Format = { show: (value) => decimal.format(value) };

type Over = { title: string; breakdown: string | undefined };
type Drawn = Extract<Answer, { kind: 'series' | 'measures' | 'lifecycle' }>;

function drawnOf(
  answer: Drawn,
  { title, breakdown }: Over,
): { series: ChartSeries[]; format: Format } {
  switch (answer.kind) {
    case 'series': {
      const series = linesOf(answer, breakdown === undefined ? {} : { breakdown });
      return { series, format: COUNTS };
    }
    case 'measures': {
      const { of } = answer.measure;
      const values = answer.points.map(({ value }) => value);
      const format = of === 'sessionLength' ? LENGTHS : of === 'sessions' ? COUNTS : NUMBERS;
      return { series: [{ key: 'value', name: title, values }], format };
    }
    case 'lifecycle': {
      const states = ['new', 'returning', 'resurrected', 'dormant'] as const;
      const series = states.map((state) => ({
        ...{ key: state, name: t.states[state] },
        values: answer.points.map((point) => point[state]),
      }));
      return { series, format: COUNTS };
    }
  }
}

function Chart({ answer, ...over }: Over & { answer: Drawn }) {
  const { title } = over;
  const { interval, points, timezone } = answer;
  return (
    <TimeChart
      title={title}
      csvName="pinned"
      height={HEIGHT_PX}
      unit={interval}
      days={points.map(({ from }) =>
        interval === 'hour' ? from.slice(0, 16) : dayOf(Date.parse(from), timezone),
      )}
      {...drawnOf(answer, over)}
      isLastPartial={points.at(-1)?.partial ?? false}
    />
  );
}

const stepName = (question: Question, index: number): string => {
  const steps = question.kind === 'funnel' ? question.steps : [];
  return steps[index]?.events?.join(` ${asking.or} `) ?? t.step(index + 1);
};

const byOf = (question: Question): string | undefined =>
  'breakdown' in question && typeof question.breakdown === 'string'
    ? question.breakdown
    : undefined;

function Picture(props: { answer: Answer; question: Question; title: string }) {
  const { answer, question, title } = props;
  const by = byOf(question);
  switch (answer.kind) {
    case 'funnel': {
      const { breakdown, verdict, minimumPeople } = answer;
      if (breakdown && verdict === 'ready') {
        const values = breakdown.map((one) => ({ ...one, value: one.value ?? t.other }));
        return <Groups breakdown={{ by: by ?? '', values }} minimum={minimumPeople} />;
      }
      return (
        <FunnelRows
          isOutline={verdict !== 'ready'}
          rows={answer.steps.map(({ people, rateFromStart, rateFromPrevious }, index) => ({
            ...{ key: String(index), name: stepName(question, index), people },
            ...{ rate: rateFromPrevious, share: rateFromStart ?? 0 },
          }))}
        />
      );
    }
    case 'retention':
      return <ReturnCurve report={answer} title={title} unit={answer.interval} />;
    case 'paths':
      return (
        <ul class="sentences">
          {(answer.steps[0]?.nodes ?? []).slice(0, 6).map(({ kind, name, share }) => (
            <li key={`${kind} ${name}`}>
              {name ?? t.other}: {rate(share)}
            </li>
          ))}
        </ul>
      );
    default:
      return <Chart answer={answer} title={title} breakdown={by} />;
  }
}

export function PinnedQuestion(props: { appId: string; questionId: string; title: string }) {
  const { appId, questionId, title } = props;
  const asked = useQuery(`pinned question ${appId} ${questionId}`, (signal) => {
    const of = { id: appId, questionId };
    return orNull(
      Promise.all([api.getQuestion(of, { signal }), api.getQuestionAnswer(of, { signal })]),
    );
  });
  return (
    <Loaded query={asked} skeleton={<div class="skeleton pinned-skeleton" aria-busy="true" />}>
      {(found) =>
        found ? (
          <Picture question={found[0].question} answer={found[1]} title={title} />
        ) : (
          <p class="quiet">{t.noQuestion}</p>
        )
      }
    </Loaded>
  );
}
