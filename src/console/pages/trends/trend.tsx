import { dayIn, exactNumber, rate, shortNumber, signedRate, UNKNOWN, when } from '../../format.ts';
import { type ChartMark, TimeChart } from '../../parts/chart/index.ts';
import { FigureCard } from '../../parts/figure-card.tsx';
import type { api } from '../../state/api.ts';
import { funnels as funnelsTexts } from '../../texts/funnels.ts';
import { trends as t } from '../../texts/trends.ts';

type EventSeries = Awaited<ReturnType<typeof api.getEventSeries>>;

const against = (change: number | null) =>
  change === null ? UNKNOWN : `${signedRate(change)} ${t.before}`;

function Totals({ series }: { series: EventSeries }) {
  const { totals, active } = series;
  return (
    <div class="cards">
      <FigureCard
        title={t.people}
        figure={<span title={exactNumber(totals.people)}>{shortNumber(totals.people)}</span>}
        note={against(totals.peopleChange)}
        meaning={t.peopleMeaning}
      />
      <FigureCard
        title={t.events}
        figure={<span title={exactNumber(totals.events)}>{shortNumber(totals.events)}</span>}
        note={against(totals.eventsChange)}
      />
      {active && (
        <FigureCard title={t.ratio} figure={rate(active.dauOverMau)} meaning={t.ratioMeaning} />
      )}
    </div>
  );
}

/** The lines of the chart: active people where all are asked for, else one line a name or value. */
function linesOf({ active, series, points }: EventSeries) {
  if (active) {
    return [
      { key: 'daily', name: t.daily, values: active.points.map(({ dau }) => dau) },
      { key: 'weekly', name: t.weekly, values: active.points.map(({ wau }) => wau) },
      { key: 'monthly', name: t.monthly, values: active.points.map(({ mau }) => mau) },
    ];
  }
  if (series.length === 0) {
    return [{ key: 'people', name: t.people, values: points.map(({ people }) => people) }];
  }
  return series.map((line) => ({
    key: line.key,
    name: line.rest ? t.other : line.key,
    ...(line.rest && { slot: 'other' as const }),
    values: line.points.map(({ people }) => people),
  }));
}

/** `onPick` opens the people of the point of a day. */
export function Trend(props: {
  series: EventSeries;
  marks: readonly ChartMark[];
  onPick: (day: string) => void;
}) {
  const { series, marks, onPick } = props;
  const { points, timezone, dataThrough } = series;
  return (
    <>
      <Totals series={series} />
      <TimeChart
        title={t.people}
        csvName="trend"
        days={points.map(({ from }) => dayIn(from, timezone))}
        series={linesOf(series)}
        format={{ show: exactNumber, tick: shortNumber, isWhole: true, goodWhen: 'up' }}
        onDay={onPick}
        marks={marks}
        isLastPartial={points.at(-1)?.partial ?? false}
      />
      <p class="quiet">
        {t.pick} {timezone} · {funnelsTexts.through} {when(dataThrough)}.{' '}
        {points.at(-1)?.partial && t.unfinished}
      </p>
    </>
  );
}
