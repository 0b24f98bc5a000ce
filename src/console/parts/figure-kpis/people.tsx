import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { dayWithWeekday, exactNumber, shortDay, shortNumber, signedNumber } from '../../format.ts';
import { addDays } from '../../state/days.ts';
import type { Had } from '../../state/had.ts';
import {
  changeSince,
  finishedValues,
  type LatestDay,
  latestDay,
  type PeopleDays,
} from '../../state/people-days.ts';
import { figures as t } from '../../texts/figures.ts';
import { Change } from '../change.tsx';
import { Spark } from '../chart/index.ts';
import { Kpi } from '../kpis.tsx';
import { type Cell, EmptyKpi } from './empty.tsx';

export function DayChange(props: {
  latest: LatestDay;
  firstDay?: string | null;
  /** Where the column says what it is held against. */
  isShort?: boolean;
}) {
  const { latest, firstDay, isShort } = props;
  const { value, before, against, isPartial } = latest;
  if (isPartial) return null;
  if (before === null) {
    return firstDay ? <span class="chip">{t.firstEvent(shortDay(firstDay))}</span> : null;
  }
  const day = dayWithWeekday(against);
  return (
    <>
      {before >= MINIMUM_PEOPLE ? (
        <Change value={changeSince(latest)} goodWhen="up" />
      ) : (
        <span class="change">{value === before ? t.noChange : signedNumber(value - before)}</span>
      )}
      {!isShort && <span>{t.against(day)}</span>}
    </>
  );
}

export type DayNames = { yesterday: string; today: string; on: (day: string) => string };

function nameOf(names: DayNames, latest: LatestDay, today: string): string {
  if (latest.isPartial) return names.today;
  if (latest.day === addDays(today, -1)) return names.yesterday;
  return names.on(dayWithWeekday(latest.day));
}

export function PeopleKpi(
  props: Cell & { names: DayNames; meaning: string; people: Had<PeopleDays>; today: string },
) {
  const { names, meaning, people, today, ...cell } = props;
  const latest = people && latestDay(people);
  if (!people || !latest) {
    return (
      <EmptyKpi
        {...cell}
        label={names.yesterday}
        meaning={meaning}
        had={people && null}
        why={t.noEvents}
      />
    );
  }
  return (
    <Kpi
      {...cell}
      label={nameOf(names, latest, today)}
      meaning={meaning}
      figure={<span title={exactNumber(latest.value)}>{shortNumber(latest.value)}</span>}
      change={<DayChange latest={latest} firstDay={people.firstDay} />}
      spark={<Spark kind="line" values={finishedValues(people)} />}
    />
  );
}
