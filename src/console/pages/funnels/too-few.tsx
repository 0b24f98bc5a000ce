import type { FunnelReport as Report } from '../../../../clients/api/src/index.ts';
import { useSetting } from '../../state/address.ts';
import { funnels as t } from '../../texts/funnels.ts';

const weekday = new Intl.DateTimeFormat(navigator.language, { dateStyle: 'full' });
const LONGER = [28, 90];
const CERTAINTY = 1.96;

/** Half the width of a 95 % interval around one half, in points, for so many people. */
const pointsByChance = (people: number): number =>
  Math.round((100 * CERTAINTY * 0.5) / Math.sqrt(people));

/** When there will be enough, or how long a window has enough, at the pace of these days. */
function paceOf({ expectedAt, windowDays, peoplePerDay }: NonNullable<Report['forecast']>): string {
  if (expectedAt) return t.pace(weekday.format(new Date(expectedAt)));
  if (peoplePerDay === 0) return t.noPace;
  return windowDays === null ? t.tooSlow : t.paceWindow(windowDays);
}

/** A refusal with what can be said: the count, when a rate will come, and a longer window. */
export function TooFew({ report, days }: { report: Report; days: number }) {
  const { people, minimumPeople, forecast } = report;
  const [, lookBack] = useSetting('days', '28');
  const longer = LONGER.find((length) => length > days);
  return (
    <div class="notice">
      <p>
        <strong>{people === 0 ? t.noData : t.fewTitle(people, minimumPeople)}</strong>
      </p>
      {people > 0 && <p>{t.few(pointsByChance(people))}</p>}
      {forecast && <p>{paceOf(forecast)}</p>}
      {longer && (
        <button type="button" onClick={() => lookBack(String(longer))}>
          {t.longer(longer)}
        </button>
      )}
    </div>
  );
}
