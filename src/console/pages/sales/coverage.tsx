import { useRef } from 'preact/hooks';
import type { Analytics } from '../../../../clients/api/src/index.ts';
import { ago, calendarDay } from '../../format.ts';
import { Bar } from '../../parts/bar.tsx';
import { Loaded } from '../../parts/states.tsx';
import type { Query } from '../../state/query.ts';
import { sales as t } from '../../texts/sales.ts';
import { Calendar } from './calendar.tsx';
import { dayStates, daysLeft } from './day-states.ts';

const MINUTE_MS = 60_000;

/** How much of the year is there, and how long the rest takes at the pace seen on this screen. */
function Backfill({ left, known, all }: { left: number; known: number; all: number }) {
  const first = useRef({ atMs: Date.now(), left });
  if (left > first.current.left) first.current = { atMs: Date.now(), left };
  const done = first.current.left - left;
  const minutes = done > 0 ? (left * (Date.now() - first.current.atMs)) / done / MINUTE_MS : null;
  return (
    <div class="backfill" role="status">
      <p>
        <strong>{t.backfill(known, all)}</strong>
        <span class="quiet">
          {' '}
          {t.left(left)}
          {minutes !== null && t.minutes(minutes)}
        </span>
      </p>
      <Bar value={known / all} />
    </div>
  );
}

/** Which days of the last year are known, whatever window the figures above have. */
export function Coverage({ year }: { year: Query<Analytics> }) {
  return (
    <section>
      <h2>{t.covered}</h2>
      <Loaded query={year}>
        {(analytics) => {
          const days = dayStates(analytics, Date.now());
          const left = daysLeft(analytics, days);
          const known = days.filter(({ state }) => state === 'covered').length;
          const { coveredThrough, checkedAt, lastError } = analytics.freshness;
          return (
            <>
              {left !== null && left > 0 && (
                <Backfill left={left} known={known} all={known + left} />
              )}
              {lastError && <p class="notice warning">{lastError}</p>}
              <p class="quiet">
                {left === null && known > 0 && lastError === null && `${t.complete} `}
                {coveredThrough && `${t.through(calendarDay(coveredThrough))} `}
                {checkedAt && t.asked(ago(checkedAt))}
              </p>
              <Calendar days={days} />
            </>
          );
        }}
      </Loaded>
    </section>
  );
}
