import { dayIn, exactNumber, rate, shortNumber, signedRate, UNKNOWN, when } from '../../format.ts';
import { FigureCard } from '../../parts/figure-card.tsx';
import { type Mark, Series } from '../../parts/series.tsx';
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
      { label: t.daily, values: active.points.map(({ dau }) => dau) },
      { label: t.weekly, values: active.points.map(({ wau }) => wau) },
      { label: t.monthly, values: active.points.map(({ mau }) => mau) },
    ];
  }
  if (series.length === 0) {
    return [{ label: t.people, values: points.map(({ people }) => people) }];
  }
  return series.map((line) => ({
    label: line.rest ? t.other : line.key,
    values: line.points.map(({ people }) => people),
  }));
}

/** `onPick` opens the people of the point of a day. */
export function Trend(props: {
  series: EventSeries;
  marks: readonly Mark[];
  onPick: (day: string) => void;
}) {
  const { series, marks, onPick } = props;
  const { points, timezone, dataThrough } = series;
  return (
    <>
      <Totals series={series} />
      <Series
        title={t.people}
        csvName="trend"
        days={points.map(({ from }) => dayIn(from, timezone))}
        lines={linesOf(series)}
        show={shortNumber}
        onPick={onPick}
        marks={marks}
        unfinished={points.at(-1)?.partial ?? false}
      />
      <p class="quiet">
        {t.pick} {timezone} · {funnelsTexts.through} {when(dataThrough)}.{' '}
        {points.at(-1)?.partial && t.unfinished}
      </p>
    </>
  );
}
