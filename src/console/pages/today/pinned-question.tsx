import type { Answer, Question } from '../../../../clients/api/src/index.ts';
import { duration, exactNumber, locale, rate, roundRate, shortNumber } from '../../format.ts';
import { type ChartSeries, type Format, FunnelRows, TimeChart } from '../../parts/chart/index.ts';
import { versionSlots } from '../../parts/chart/version-slots.ts';
import { environmentOf } from '../../parts/chips/environment.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api, orNull } from '../../state/api.ts';
import { type Frame, questionsOf } from '../../state/ask.ts';
import { dayOf, lengthOf } from '../../state/days.ts';
import { dimensionOf, filterQuery, filtersOf } from '../../state/filter-rules.ts';
import type { Funnel } from '../../state/funnels.ts';
import { type PinnedView, savedIn } from '../../state/pins.ts';
import { useQuery } from '../../state/query.ts';
import { funnelQuery, seriesQuery } from '../../state/range-query.ts';
import { rangeOf, resolveRange } from '../../state/ranges.ts';
import { REST, valueLabel } from '../../state/sent-values.ts';
import { asking } from '../../texts/asking.ts';
import { today as todayTexts } from '../../texts/today.ts';
import { askFrom, stepLabel } from '../questions/from-page.ts';
import { Groups } from './pinned-groups.tsx';

const t = todayTexts.pins;

const HEIGHT_PX = 196;
const BY_DAY_UP_TO = 60;
const COUNTS: Format = { show: exactNumber, tick: shortNumber, isWhole: true, goodWhen: 'up' };
const RATES: Format = { show: rate, tick: roundRate, goodWhen: 'up' };
const LENGTHS: Format = { show: duration, tick: duration };
const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
const NUMBERS: Format = { show: (value) => decimal.format(value) };

type Parameters = Readonly<Record<string, string | undefined>>;
type Over = { title: string; question: Question; parameters: Parameters };
type Of<K extends Answer['kind']> = Extract<Answer, { kind: K }>;
type Drawn = Of<'series' | 'measures' | 'lifecycle'>;
type Line = { values: readonly (number | null)[]; before?: readonly (number | null | undefined)[] };

const byOf = (question: Question): string | undefined =>
  'breakdown' in question && typeof question.breakdown === 'string'
    ? question.breakdown
    : undefined;

function seriesLines(answer: Of<'series'>, { question, parameters }: Over): ChartSeries[] {
  const of = parameters.chart === 'events' ? 'events' : 'people';
  const by = byOf(question);
  const asked = question.kind === 'series' ? question.series.length : 1;
  if (by === undefined && asked < 2) {
    const name = of === 'events' ? t.events : todayTexts.charts.line.people;
    return [{ key: 'all', name, values: answer.points.map((point) => point[of]) }];
  }
  const dimension = dimensionOf(by ?? '');
  const keys = answer.series.filter(({ rest }) => !rest).map(({ key }) => key);
  const slots = versionSlots(keys);
  const lines = answer.series.map(
    ({ key, rest, points }): ChartSeries => ({
      key: rest ? REST : key,
      name: rest ? t.other : dimension ? valueLabel(dimension, key) : key,
      values: points.map((point) => point[of]),
      ...(rest && { slot: 'other' as const }),
      ...(dimension === 'appVersion' && !rest && { slot: slots.get(key) ?? 'other' }),
    }),
  );
  const one = lines.filter(({ key }) => key === parameters.only);
  return one.length > 0 ? one : lines;
}

function drawnOf(answer: Drawn, over: Over): { series: ChartSeries[]; format: Format } {
  switch (answer.kind) {
    case 'series':
      return { series: seriesLines(answer, over), format: COUNTS };
    case 'measures': {
      const { of } = answer.measure;
      const values = answer.points.map(({ value }) => value);
      const isCount = of === 'sessions' || of === 'events' || of === 'people';
      const format = of === 'sessionLength' ? LENGTHS : isCount ? COUNTS : NUMBERS;
      return { series: [{ key: 'value', name: over.title, values }], format };
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

function beforeOf(answer: Drawn): Line['values'] {
  if (answer.kind === 'series') return answer.points.map((point) => point.previousPeople ?? null);
  if (answer.kind === 'lifecycle') return [];
  return answer.points.map(({ previousValue }) => previousValue ?? null);
}

function Chart({ answer, ...over }: Over & { answer: Drawn }) {
  const { title, parameters } = over;
  const { interval, points, timezone } = answer;
  const days = points.map(({ from }) =>
    interval === 'hour' ? from.slice(0, 16) : dayOf(Date.parse(from), timezone),
  );
  const drawn = drawnOf(answer, over);
  const isCompared = parameters.compare === 'previous' && drawn.series.length === 1;
  return (
    <TimeChart
      {...{ title, days, ...drawn }}
      csvName="pinned"
      height={HEIGHT_PX}
      unit={interval}
      kind={parameters.draw === 'area' || parameters.draw === 'bar' ? parameters.draw : 'line'}
      isLastPartial={points.at(-1)?.partial ?? false}
      {...(isCompared && { previous: { name: t.before, values: beforeOf(answer), days } })}
    />
  );
}

function Curve({ answer, title }: { answer: Of<'retention'>; title: string }) {
  const { cohorts, timezone, mean, people, minimumPeople, interval } = answer;
  const known = cohorts.map(({ periods }) => periods[0] ?? null);
  const share = mean[0]?.rate ?? null;
  if (share === null) return <p class="quiet">{t.few(people, minimumPeople)}</p>;
  return (
    <>
      <p class="quiet">{t.cameBack(rate(share), interval)}</p>
      <TimeChart
        title={title}
        csvName="pinned"
        height={HEIGHT_PX - 28}
        unit={interval}
        days={cohorts.map(({ from }) => dayOf(Date.parse(from), timezone))}
        series={[
          {
            key: 'returned',
            name: t.line,
            values: known.map((period) => period?.rate ?? null),
            low: known.map((period) => period?.rateLow ?? null),
            high: known.map((period) => period?.rateHigh ?? null),
          },
        ]}
        format={RATES}
      />
    </>
  );
}

type Asked = Over & { answer: Answer; funnels: readonly Funnel[] };

function Steps({ answer, question, funnels }: Asked & { answer: Of<'funnel'> }) {
  const { breakdown, verdict, minimumPeople, steps } = answer;
  if (breakdown && verdict === 'ready') {
    const values = breakdown.map((one) => ({ ...one, value: one.value ?? t.other }));
    return <Groups breakdown={{ by: byOf(question) ?? '', values }} minimum={minimumPeople} />;
  }
  const asked = question.kind === 'funnel' ? question.steps : [];
  return (
    <FunnelRows
      isOutline={verdict !== 'ready'}
      rows={steps.map(({ people, rateFromStart, rateFromPrevious }, index) => {
        const step = asked[index] ?? {};
        const name = stepLabel(step, funnels) ?? step.events?.join(` ${asking.or} `);
        return {
          ...{ key: String(index), name: name ?? t.step(index + 1), people },
          ...{ rate: rateFromPrevious, share: rateFromStart ?? 0 },
        };
      })}
    />
  );
}

function Picture(asked: Asked) {
  const { answer, title } = asked;
  switch (answer.kind) {
    case 'funnel':
      return <Steps {...asked} answer={answer} />;
    case 'retention':
      return <Curve answer={answer} title={title} />;
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
      return <Chart {...asked} answer={answer} />;
  }
}

const INTERVALS = ['hour', 'day', 'week', 'month'] as const;

function questionIn(
  pin: PinnedView,
  parameters: Parameters,
  { funnels, today }: { funnels: readonly Funnel[]; today: string },
): Question | undefined {
  if (pin.page === 'questions') return undefined;
  const range = resolveRange(rangeOf(parameters), today);
  const isShort = lengthOf(range) <= BY_DAY_UP_TO;
  const chosen = INTERVALS.find((one) => one === parameters.interval);
  const isOfWeeks = pin.page === 'retention' && !(chosen === 'day' && isShort);
  const frame: Frame = {
    window: pin.page === 'trends' ? seriesQuery(range) : funnelQuery(range),
    environment: environmentOf(parameters.environment ?? ''),
    interval: isOfWeeks ? 'week' : (chosen ?? 'day'),
    periods: 1,
  };
  const ask = askFrom(pin.page, { breakdown: 'none', ...parameters }, funnels);
  return ask && questionsOf(ask, frame)[0];
}

type Found = { question: Question; answer: Answer; funnels: readonly Funnel[] };

async function find(
  { appId: id, pin, today }: PinProps,
  parameters: Parameters,
  signal: AbortSignal,
): Promise<Found> {
  const funnels = await api.listFunnels({ id }, { signal });
  const saved = savedIn(pin);
  if (saved !== null) {
    const of = { id, questionId: saved };
    const [{ question }, answer] = await Promise.all([
      api.getQuestion(of, { signal }),
      api.getQuestionAnswer(of, { signal }),
    ]);
    return { question, answer, funnels };
  }
  const question = questionIn(pin, parameters, { funnels, today });
  if (!question) throw new Error(t.noFunnel);
  return {
    question,
    answer: await api.answerQuestion({ id, body: question }, { signal }),
    funnels,
  };
}

export type PinProps = { appId: string; pin: PinnedView; today: string };

const skeleton = <div class="skeleton pinned-skeleton" aria-busy="true" />;

export function PinnedQuestion(props: PinProps) {
  const { appId, pin, today } = props;
  const { query, page, title } = pin;
  const parameters: Parameters = Object.fromEntries(new URLSearchParams(query));
  const found = useQuery(`pinned ${appId} ${page} ${query} ${today}`, (signal) =>
    orNull(find(props, parameters, signal)),
  );
  if (parameters.chart === 'ratio') return <PinnedRatio {...props} parameters={parameters} />;
  return (
    <Loaded query={found} skeleton={skeleton}>
      {(data) =>
        data ? (
          <Picture {...data} {...{ title, parameters }} />
        ) : (
          <p class="quiet">{t.noQuestion}</p>
        )
      }
    </Loaded>
  );
}

/** No question says it. */
function PinnedRatio({ appId, pin, today, parameters }: PinProps & { parameters: Parameters }) {
  const query = {
    ...seriesQuery(resolveRange(rangeOf(parameters), today)),
    ...filterQuery(filtersOf(parameters)),
    environment: environmentOf(parameters.environment ?? ''),
    ...{ interval: 'day' as const, active: true, compare: false },
    ...(parameters.event && { names: parameters.event.split(',')[0] }),
  };
  const asked = useQuery(`pinned ratio ${appId} ${JSON.stringify(query)}`, (signal) =>
    api.getEventSeries({ id: appId, query }, { signal }),
  );
  return (
    <Loaded query={asked} skeleton={skeleton}>
      {({ active, timezone }) => (
        <TimeChart
          title={pin.title}
          csvName="pinned"
          height={HEIGHT_PX}
          days={(active?.points ?? []).map(({ from }) => dayOf(Date.parse(from), timezone))}
          series={[
            {
              ...{ key: 'ratio', name: t.ratio },
              values: (active?.points ?? []).map(({ dau, mau }) => (mau === 0 ? null : dau / mau)),
            },
          ]}
          format={RATES}
          isLastPartial={active?.points.at(-1)?.partial ?? false}
        />
      )}
    </Loaded>
  );
}
