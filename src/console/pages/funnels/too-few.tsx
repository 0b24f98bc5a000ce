import { useSetting } from '../../state/address.ts';
import { texts } from '../../texts/index.ts';
import { dayOfEnough, pointsByChance } from './few.ts';

const t = texts.funnels;
const weekday = new Intl.DateTimeFormat(navigator.language, { dateStyle: 'full' });
const LONGER = [28, 90];

/** A refusal with what can be said: the count, when a rate will come, and a longer window. */
export function TooFew(props: { people: number; minimum: number; days: number }) {
  const { people, minimum, days } = props;
  const [, lookBack] = useSetting('days', '28');
  const day = dayOfEnough(people, { minimum, days, now: new Date() });
  const longer = LONGER.find((length) => length > days);
  return (
    <div class="notice">
      <p>
        <strong>{people === 0 ? t.noData : t.fewTitle(people, minimum)}</strong>
      </p>
      {people > 0 && <p>{t.few(pointsByChance(people))}</p>}
      <p>{day ? t.pace(weekday.format(day)) : t.noPace}</p>
      {longer && (
        <button type="button" onClick={() => lookBack(String(longer))}>
          {t.longer(longer)}
        </button>
      )}
    </div>
  );
}
