import type { Answer } from '../../../../clients/api/src/index.ts';
import { duration, exactNumber, locale, rate, shortNumber } from '../../format.ts';
import { type ChartSeries, type Format, FunnelRows, TimeChart } from '../../parts/chart/index.ts';
import { Loaded } from '../../parts/states.tsx';
import { api, orNull } from '../../state/api.ts';
import { dayOf } from '../../state/days.ts';
import { useQuery } from '../../state/query.ts';
import { today as todayTexts } from '../../texts/today.ts';

const t = todayTexts.pins;

const HEIGHT_PX = 196;
const COUNTS: Format = { show: exactNumber, tick: shortNumber, isWhole: true };
const LENGTHS: Format = { show: duration, tick: duration };
const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
const NUMBERS: Format = { show: (value) => decimal.format(value) };

type Drawn = Extract<Answer, { kind: 'series' | 'measures' | 'lifecycle' }>;

function linesOf(answer: Drawn, title: string): { series: ChartSeries[]; format: Format } {
  switch (answer.kind) {
    case 'series': {
      const series = answer.series.map(
        ({ key, rest, points }): ChartSeries => ({
          key: rest ? ':rest' : key,
          name: rest ? t.other : key,
          values: points.map(({ people }) => people),
          ...(rest && { slot: 'other' as const }),
        }),
      );
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

function Over({ answer, title }: { answer: Drawn; title: string }) {
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
      {...linesOf(answer, title)}
      isLastPartial={points.at(-1)?.partial ?? false}
    />
  );
}

function Picture({ answer, title }: { answer: Answer; title: string }) {
  switch (answer.kind) {
    case 'funnel':
      return (
        <FunnelRows
          isOutline={answer.verdict !== 'ready'}
          rows={answer.steps.map(({ people, rateFromStart, rateFromPrevious }, index) => ({
            ...{ key: String(index), name: t.step(index + 1), people, rate: rateFromPrevious },
            share: rateFromStart ?? 0,
          }))}
        />
      );
    case 'retention': {
      const share = answer.mean[0]?.rate ?? null;
      if (share === null) return <p class="quiet">{t.few(answer.people, answer.minimumPeople)}</p>;
      return <p>{t.cameBack(rate(share), answer.interval)}</p>;
    }
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
      return <Over answer={answer} title={title} />;
  }
}

export function PinnedQuestion(props: { appId: string; questionId: string; title: string }) {
  const { appId, questionId, title } = props;
  const asked = useQuery(`pinned question ${appId} ${questionId}`, (signal) =>
    orNull(api.getQuestionAnswer({ id: appId, questionId }, { signal })),
  );
  return (
    <Loaded query={asked} skeleton={<div class="skeleton pinned-skeleton" aria-busy="true" />}>
      {(answer) =>
        answer ? <Picture answer={answer} title={title} /> : <p class="quiet">{t.noQuestion}</p>
      }
    </Loaded>
  );
}
