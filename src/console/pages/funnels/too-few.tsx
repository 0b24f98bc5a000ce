import { locale } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { FunnelRows } from '../../parts/chart/index.ts';
import * as icons from '../../parts/icons.ts';
import { Empty } from '../../parts/states.tsx';
import type { Days } from '../../state/days.ts';
import { useLinks } from '../../state/place.ts';
import { useRange } from '../../state/range.ts';
import { funnels } from '../../texts/funnels.ts';
import { useCounts } from './counts.ts';
import type { FunnelReport, Source } from './queries.ts';

const t = funnels.few;
const weekday = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });
const LONGER = [28, 90, 365];
const CERTAINTY = 1.96;

/** Half a 95 % interval around one half. */
const pointsByChance = (people: number): number =>
  Math.round((100 * CERTAINTY * 0.5) / Math.sqrt(people));

/** At the pace of these days. */
function paceOf({ expectedAt, windowDays, peoplePerDay }: NonNullable<FunnelReport['forecast']>) {
  if (expectedAt) return t.pace(weekday.format(new Date(expectedAt)));
  if (peoplePerDay === 0) return t.noPace;
  return windowDays === null ? t.tooSlow : t.paceWindow(windowDays);
}

function Ways(props: { report: FunnelReport; isNothingSent: boolean; onEverybody?: () => void }) {
  const { report, isNothingSent, onEverybody } = props;
  const range = useRange();
  const linkTo = useLinks();
  const least = report.forecast?.windowDays ?? 0;
  const isAwaited = Boolean(report.forecast?.expectedAt);
  const longer = isAwaited
    ? undefined
    : LONGER.find((length) => length > range.days && length >= least);
  return (
    <div class="row">
      {longer !== undefined && !isNothingSent && (
        <Button onClick={() => range.setRange({ kind: 'preset', preset: longer })}>
          {t.longer(longer)}
        </Button>
      )}
      {onEverybody && <Button onClick={onEverybody}>{t.everybody}</Button>}
      {isNothingSent && (
        <Button kind="primary" href={linkTo('connect') ?? '/'}>
          {t.connect}
        </Button>
      )}
    </div>
  );
}

function Outline({ report, counts }: { report: FunnelReport; counts: readonly (number | null)[] }) {
  const most = Math.max(report.people, 1);
  return (
    <Card title={funnels.columns} sub={counts.length > 0 ? t.counts : t.firstOnly}>
      <FunnelRows
        isOutline
        rows={report.steps.map(({ index, label }) => {
          const people = index === 1 ? report.people : (counts[index - 1] ?? null);
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

export function TooFew(props: {
  report: FunnelReport;
  days: Days;
  source: Source;
  onEverybody: (() => void) | undefined;
}) {
  const { report, onEverybody } = props;
  const { people, minimumPeople, forecast, hint } = report;
  const counts = useCounts({ ...props, today: useRange().today }).value.data;
  const [first] = counts ?? [];
  const own = counts && first === people ? counts : [];
  const hasOthers = typeof first === 'number' && first > people;
  const ways = (
    <Ways
      report={report}
      isNothingSent={
        people === 0 && hint !== undefined && counts?.every((count) => !count) === true
      }
      {...(hasOthers && onEverybody && { onEverybody })}
    />
  );
  return (
    <>
      <section class="card">
        {people === 0 ? (
          <Empty
            icon={icons.funnels}
            title={t.nobody}
            text={hint ?? (forecast && paceOf(forecast))}
            action={ways}
          />
        ) : (
          <div class="funnel-few">
            <h2>{t.title(people, minimumPeople)}</h2>
            {forecast && <p class="say">{paceOf(forecast)}</p>}
            <p>{t.text(pointsByChance(people))}</p>
            {ways}
          </div>
        )}
      </section>
      <Outline report={report} counts={own} />
    </>
  );
}
