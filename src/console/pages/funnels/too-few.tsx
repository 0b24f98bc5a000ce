import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { FunnelRows } from '../../parts/chart/index.ts';
import { Empty } from '../../parts/states.tsx';
import * as icons from '../../parts/icons.ts';
import { api } from '../../state/api.ts';
import type { Days } from '../../state/days.ts';
import { useLinks } from '../../state/place.ts';
import { useQuery } from '../../state/query.ts';
import { useRange } from '../../state/range.ts';
import { funnels } from '../../texts/funnels.ts';
import type { FunnelReport, Selection } from './queries.ts';

const t = funnels.few;
const weekday = new Intl.DateTimeFormat(navigator.language, { dateStyle: 'full' });
const LONGER = [28, 90, 365];
const CERTAINTY = 1.96;

/** Half the width of a 95 % interval around one half, in points, for so many people. */
const pointsByChance = (people: number): number =>
  Math.round((100 * CERTAINTY * 0.5) / Math.sqrt(people));

/** When there will be enough, or how long a range has enough, at the pace of these days. */
function paceOf({ expectedAt, windowDays, peoplePerDay }: NonNullable<FunnelReport['forecast']>) {
  if (expectedAt) return t.pace(weekday.format(new Date(expectedAt)));
  if (peoplePerDay === 0) return t.noPace;
  return windowDays === null ? t.tooSlow : t.paceWindow(windowDays);
}

type Part = { report: FunnelReport; days: Days; selection: Selection };

/**
 * How many people did each step, in any order; null where the report counts fewer than did the first
 * one, since then the others are not known of those.
 */
function useCounts({ report, days, selection }: Part) {
  const { appId: id, steps, people } = report;
  const { platform, appVersion, country, property, environment } = selection;
  const filters = {
    ...(platform && { platform }),
    ...(appVersion && { appVersion }),
    ...(country && { country }),
  };
  const query = { ...filters, ...days, environment, compare: false };
  return useQuery(
    `funnel counts ${id} ${report.funnelId} ${JSON.stringify([query, steps.map(({ event, where }) => [event, where])])}`,
    async (signal) => {
      const counts = await Promise.all(
        steps.map(async ({ event, where }) => {
          const own = where ? `${where.prop}=${where.equals}` : property;
          const series = await api.getEventSeries(
            { id, query: { ...query, names: event, ...(own && { property: own }) } },
            { signal },
          );
          const partial = series.points.at(-1);
          return partial?.partial && series.points.length === 1
            ? partial.people
            : series.totals.people;
        }),
      );
      return counts[0] === people ? counts : null;
    },
    { enabled: people > 0 },
  );
}

function Outline(props: Part) {
  const { report } = props;
  const counts = useCounts(props).value.data;
  const most = Math.max(report.people, 1);
  return (
    <Card title={funnels.columns} sub={counts ? t.counts : t.firstOnly}>
      <FunnelRows
        isOutline
        rows={report.steps.map(({ index, label }) => {
          const people = index === 1 ? report.people : (counts?.[index - 1] ?? null);
          return {
            key: String(index),
            name: label,
            people,
            share: (people ?? 0) / most,
            rate: null,
          };
        })}
      />
    </Card>
  );
}

/** What can be said of few people: the counts, when a rate will come, and what has more of them. */
export function TooFew(props: Part & { onEverybody: (() => void) | undefined }) {
  const { report, onEverybody } = props;
  const { people, minimumPeople, forecast } = report;
  const range = useRange();
  const linkTo = useLinks();
  const longer = LONGER.find((length) => length > range.days);
  const acts = (
    <div class="row">
      {longer && (
        <Button onClick={() => range.setRange({ kind: 'preset', preset: longer })}>
          {t.longer(longer)}
        </Button>
      )}
      {onEverybody && <Button onClick={onEverybody}>{t.everybody}</Button>}
      {people === 0 && <Button href={linkTo('connect') ?? '/'}>{t.connect}</Button>}
    </div>
  );
  return (
    <>
      <section class="card">
        {people === 0 ? (
          <Empty
            icon={icons.funnels}
            title={t.nobody}
            text={forecast && paceOf(forecast)}
            action={acts}
          />
        ) : (
          <div class="funnel-few">
            <h2>{t.title(people, minimumPeople)}</h2>
            {forecast && <p class="say">{paceOf(forecast)}</p>}
            <p>{t.text(pointsByChance(people))}</p>
            {acts}
          </div>
        )}
      </section>
      <Outline {...props} />
    </>
  );
}
