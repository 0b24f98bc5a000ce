import { ActiveKpi, MrrKpi, PeopleKpi, SalesKpi } from '../../parts/figure-kpis/index.ts';
import { Kpis } from '../../parts/kpis.tsx';
import { knownDays } from '../../state/app-figures.ts';
import { allSales } from '../../state/app-sales.ts';
import type { Had } from '../../state/had.ts';
import { peopleOfAll } from '../../state/people-days.ts';
import type { RangeState } from '../../state/range.ts';
import { revenueOfAll } from '../../state/revenue-of-all.ts';
import { figures } from '../../texts/figures.ts';
import { home as t } from '../../texts/home.ts';
import type { Overview, Row } from './overview.ts';

const NAMES = {
  yesterday: figures.peopleYesterday,
  today: figures.peopleToday,
  on: figures.peopleOn,
};

function allOf<T, Sum>(
  rows: readonly Row[],
  of: (row: Row) => Had<T>,
  sum: (known: readonly T[]) => Sum | undefined,
): Had<Sum> {
  const every = rows.map(of);
  if (every.includes(undefined)) return undefined;
  const known = every.flatMap((one) => one ?? []);
  return known.length > 0 ? (sum(known) ?? null) : null;
}

export function Totals({ overview, range }: { overview: Overview; range: RangeState }) {
  const { rows, sales, failed } = overview;
  const { data, error } = sales.value;
  const sold = data ? (allSales(data) ?? null) : error ? null : undefined;
  const revenue = allOf(rows, (row) => row.revenue, revenueOfAll);
  const hasFailed = failed.length > 0;
  return (
    <div class="home-totals">
      <Kpis label={t.totals}>
        <MrrKpi revenue={revenue} failed={hasFailed} />
        <ActiveKpi revenue={revenue} failed={hasFailed} />
        <SalesKpi
          of="proceeds"
          sales={sold}
          days={range.days}
          known={data ? knownDays(data, range) : null}
          failed={error !== undefined}
          href="/sales"
        />
        <SalesKpi
          of="downloads"
          sales={sold}
          days={range.days}
          known={null}
          failed={error !== undefined}
          href="/sales"
        />
        <PeopleKpi
          names={NAMES}
          meaning={figures.meanings.peopleOfApps}
          people={allOf(rows, (row) => row.people, peopleOfAll)}
          today={range.today}
          failed={hasFailed}
        />
      </Kpis>
    </div>
  );
}
