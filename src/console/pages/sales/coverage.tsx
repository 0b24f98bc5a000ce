import { useRef } from 'preact/hooks';
import type { Analytics } from '../../../../clients/api/src/index.ts';
import { ago, calendarDay } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { type DayState as Drawn, Meter, YearCalendar } from '../../parts/chart/index.ts';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import type { Query } from '../../state/query.ts';
import { sales as t } from '../../texts/sales.ts';
import { type DayOfYear, type DayState, dayStates, daysLeft } from './day-states.ts';

const MINUTE_MS = 60_000;

const DRAWN: Record<DayState, Drawn> = {
  covered: 'known',
  late: 'late',
  due: 'notDue',
  gap: 'missing',
  ahead: 'notCollected',
  gone: 'gone',
};
const NAMES = {
  known: t.states.covered,
  late: t.states.late,
  notDue: t.states.due,
  missing: t.states.gap,
  notCollected: t.states.ahead,
  gone: t.states.gone,
} satisfies Record<Drawn, string>;

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
      <Meter share={known / all} height={6} />
    </div>
  );
}

function Missing({ days }: { days: readonly DayOfYear[] }) {
  const missing = days.filter(({ state }) => state !== 'covered' && state !== 'gone').reverse();
  if (missing.length === 0) return null;
  return (
    <details>
      <summary>{t.missing(missing.length)}</summary>
      <Table
        caption={t.missingDays}
        rows={missing}
        keyOf={({ day }) => day}
        csvName="missing-days"
        dense
        columns={[
          { label: t.day, show: ({ day }) => calendarDay(day), plain: ({ day }) => day },
          { label: t.state, show: ({ state }) => t.states[state] },
        ]}
      />
    </details>
  );
}

function Known({ analytics, title }: { analytics: Analytics; title: string }) {
  const days = dayStates(analytics, Date.now());
  const left = daysLeft(analytics, days);
  const known = days.filter(({ state }) => state === 'covered').length;
  const { coveredThrough, checkedAt, lastError } = analytics.freshness;
  return (
    <>
      {left !== null && left > 0 && <Backfill left={left} known={known} all={known + left} />}
      {lastError && <p class="notice warn">{lastError}</p>}
      <YearCalendar
        title={title}
        days={days.map(({ day, state }) => ({ day, state: DRAWN[state] }))}
        nameOf={(state) => NAMES[state]}
      />
      <p class="quiet">
        {left === null && known > 0 && lastError === null && `${t.complete} `}
        {coveredThrough && `${t.through(calendarDay(coveredThrough))} `}
        {checkedAt && t.asked(ago(checkedAt))}
      </p>
      <Missing days={days} />
    </>
  );
}

export function Coverage({ year, title }: { year: Query<Analytics>; title: string }) {
  return (
    <Card title={title} class="sales-year">
      <Loaded query={year} skeleton={<Skeleton shape="plot" />}>
        {(analytics) => <Known analytics={analytics} title={title} />}
      </Loaded>
    </Card>
  );
}
