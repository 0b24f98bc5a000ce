import type { Answer } from '../../../../clients/api/src/index.ts';
import { rate } from '../../format.ts';
import { GOOD_RATES } from '../../parts/chart/formats.ts';
import { FunnelRows, TimeChart } from '../../parts/chart/index.ts';
import { Loaded } from '../../parts/states.tsx';
import { api, orNull } from '../../state/api.ts';
import { type Ask, fieldOf, type Frame, questionsOf } from '../../state/ask.ts';
import { dayOf } from '../../state/days.ts';
import { filterQuery, filtersOf } from '../../state/filter-rules.ts';
import type { Funnel } from '../../state/funnels.ts';
import { savedIn } from '../../state/pinned-views.ts';
import type { PinnedView } from '../../state/pins.ts';
import { useQuery } from '../../state/query.ts';
import { seriesQuery } from '../../state/range-query.ts';
import { rangeOf, resolveRange } from '../../state/ranges.ts';
import { environmentOf } from '../../state/sent.ts';
import { useApi } from '../../state/use-api.ts';
import { asking } from '../../texts/asking.ts';
import { today as todayTexts } from '../../texts/today.ts';
import { readFunnel } from '../funnels/queries.ts';
import { framedAt } from '../questions/asked-at.ts';
import { stepLabel } from '../questions/from-page.ts';
import { ratioOf } from '../trends/drawing.ts';
import { askedOf, type Drawn, drawingOf, type Parameters } from './pinned-drawing.ts';
import { Groups } from './pinned-groups.tsx';

const t = todayTexts.pins;

const HEIGHT_PX = 196;

type Of<K extends Answer['kind']> = Extract<Answer, { kind: K }>;
type Found = { ask: Ask; answer: Answer; funnels: readonly Funnel[]; parameters: Parameters };
type Asked = Found & { title: string };

function Chart({ answer, ask, title, parameters }: Asked & { answer: Drawn }) {
  const { draw } = parameters;
  const drawing = drawingOf(answer, ask, parameters);
  const { unit, days, series, format, isLastPartial, previous } = drawing;
  return (
    <TimeChart
      {...{ title, unit, days, series, format, isLastPartial }}
      csvName="pinned"
      height={HEIGHT_PX}
      kind={draw === 'area' || draw === 'bar' ? draw : 'line'}
      {...(previous && { previous })}
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
        format={GOOD_RATES}
      />
    </>
  );
}

function Steps({ answer, ask, funnels, parameters }: Asked & { answer: Of<'funnel'> }) {
  const { breakdown, verdict, minimumPeople, steps } = answer;
  const asked = ask.kind === 'funnel' ? ask : undefined;
  // A single value is not worth a picture where nobody chose to see it.
  const isShown = parameters.breakdown !== undefined || (breakdown?.length ?? 0) > 1;
  if (breakdown && isShown && verdict === 'ready') {
    const by = asked?.breakdown ? fieldOf(asked.breakdown) : '';
    const values = breakdown.map((one) => ({ ...one, value: one.value ?? t.other }));
    return <Groups breakdown={{ by, values }} minimum={minimumPeople} />;
  }
  return (
    <FunnelRows
      isOutline={verdict !== 'ready'}
      rows={steps.map(({ people, rateFromStart, rateFromPrevious }, index) => {
        const step = asked?.steps[index] ?? {};
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

async function find({ appId: id, pin, today }: PinProps, signal: AbortSignal): Promise<Found> {
  const saved = savedIn(pin);
  const isOfSteps = pin.page === 'funnels' || pin.page === 'questions';
  const [kept, funnels] = await Promise.all([
    saved === null ? undefined : api.getQuestion({ id, questionId: saved }, { signal }),
    isOfSteps ? api.listFunnels({ id }, { signal }) : [],
  ]);
  const asked = askedOf(pin, kept, funnels);
  if (!asked) throw new Error(t.noFunnel);
  const { ask, parameters } = asked;
  const range = resolveRange(rangeOf(parameters), today);
  const { frame } = framedAt(ask.kind, parameters, range);
  const answerIn = (window: Frame['window']): Promise<Answer> => {
    const [body] = questionsOf(ask, { ...frame, window });
    if (!body) throw new Error(t.noFunnel);
    return api.answerQuestion({ id, body }, { signal });
  };
  const found = { ask, funnels, parameters };
  if (ask.kind !== 'funnel') return { ...found, answer: await answerIn(frame.window) };
  const { report } = await readFunnel(range, async (days) => {
    const answer = await answerIn(days);
    if (answer.kind !== 'funnel') throw new Error('It is a funnel.');
    return answer;
  });
  return { ...found, answer: report };
}

export type PinProps = { appId: string; pin: PinnedView; today: string };

const skeleton = <div class="skeleton pinned-skeleton" aria-busy="true" />;

export function PinnedQuestion(props: PinProps) {
  const { appId, pin, today } = props;
  const { query, page, title } = pin;
  const parameters: Parameters = Object.fromEntries(new URLSearchParams(query));
  const isRatio = parameters.chart === 'ratio';
  const found = useQuery(
    `pinned ${appId} ${page} ${query} ${today}`,
    (signal) => orNull(find(props, signal)),
    { enabled: !isRatio },
  );
  if (isRatio) return <PinnedRatio {...props} parameters={parameters} />;
  return (
    <Loaded query={found} skeleton={skeleton}>
      {(data) => (data ? <Picture {...data} title={title} /> : <p class="quiet">{t.noQuestion}</p>)}
    </Loaded>
  );
}

/** No question says it. */
function PinnedRatio({ appId, pin, today, parameters }: PinProps & { parameters: Parameters }) {
  const query = {
    ...seriesQuery(resolveRange(rangeOf(parameters), today)),
    ...filterQuery(filtersOf(parameters)),
    environment: environmentOf(parameters.environment),
    ...{ interval: 'day' as const, active: true, compare: false },
    ...(parameters.event && { names: parameters.event.split(',')[0] }),
  };
  const asked = useApi(api.getEventSeries, { id: appId, query });
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
              values: (active?.points ?? []).map(ratioOf),
            },
          ]}
          format={GOOD_RATES}
          isLastPartial={active?.points.at(-1)?.partial ?? false}
        />
      )}
    </Loaded>
  );
}
