import { wholeUnits } from '../../format.ts';
import { type Scale, Spark } from '../../parts/chart/index.ts';
import { FailedNotice } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { AppIcon } from '../../parts/app-icon.tsx';
import { worthALook } from '../../state/insights.ts';
import { finishedValues, latestDay } from '../../state/people-days.ts';
import { useLinks } from '../../state/place.ts';
import { home as t } from '../../texts/home.ts';
import { figures } from '../../texts/figures.ts';
import {
  ConversionCell,
  ConversionFigure,
  lastSeen,
  MrrCell,
  MrrFigure,
  NameCell,
  PeopleCell,
  PeopleFigure,
  SalesCell,
  StateChip,
  stateOf,
} from './cells.tsx';
import type { Overview, Row } from './overview.ts';

const peopleOf = ({ people }: Row): number | null => (people && latestDay(people)?.value) ?? null;
const rateOf = ({ conversion }: Row): number | null => conversion?.report.overall.rate ?? null;
const mrrOf = ({ revenue }: Row): number | null =>
  revenue ? wholeUnits(revenue.mrr.end, revenue.currency) : null;
const proceedsOf = ({ sales }: Row): number | null =>
  sales ? wholeUnits(sales.proceedsMinor, sales.currency) : null;
const looksOf = ({ insights }: Row): number | null =>
  insights ? worthALook(insights).length : null;

const sortedBy = (of: (row: Row) => number | string | null) => ({ sort: of, plain: of });

const columnsOf = (scale: Scale): Column<Row>[] => [
  {
    label: t.app,
    show: (row) => <NameCell row={row} />,
    ...sortedBy(({ app }) => app.displayName),
  },
  { label: t.people, show: (row) => <PeopleCell row={row} />, ...sortedBy(peopleOf) },
  {
    label: t.conversion,
    show: (row) => <ConversionCell row={row} scale={scale} />,
    ...sortedBy(rateOf),
  },
  {
    label: t.downloads,
    number: true,
    show: (row) => <SalesCell row={row} of="downloads" />,
    ...sortedBy(({ sales }) => sales?.downloads ?? null),
  },
  {
    label: t.proceeds,
    number: true,
    show: (row) => <SalesCell row={row} of="proceedsMinor" />,
    ...sortedBy(proceedsOf),
  },
  {
    label: t.mrr,
    number: true,
    show: (row) => <MrrCell row={row} />,
    ...sortedBy(mrrOf),
  },
  { label: t.state, number: true, show: (row) => <StateChip row={row} />, ...sortedBy(looksOf) },
];

/** From nothing to the highest end of an interval. */
function scaleOf(rows: readonly Row[]): Scale {
  const highs = rows.map(({ conversion }) => conversion?.report.overall.rateHigh ?? 0);
  return { min: 0, max: Math.max(0.01, ...highs) * 1.1 };
}

function AppCard({ row, href }: { row: Row; href: string }) {
  return (
    <section class="card app-card">
      <div class="app-card-head">
        <AppIcon app={row.app} size="large" />
        <span class="cell-figure">
          <a class="row-link" href={href}>
            {row.app.displayName}
          </a>
          <span class="sub">{lastSeen(row)}</span>
        </span>
        <StateChip row={row} />
      </div>
      <Spark kind="line" values={row.people ? finishedValues(row.people) : []} height={52} />
      <dl class="app-card-figures">
        {(
          [
            [figures.people, <PeopleFigure row={row} />],
            [t.conversion, <ConversionFigure row={row} />],
            [t.mrr, <MrrFigure row={row} />],
          ] as const
        ).map(([label, figure]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export const AppsSkeleton = ({ count }: { count: number }) => (
  <div class="apps-skeleton" aria-busy="true">
    {Array.from({ length: count }, (_, index) => (
      <div key={index} class="skeleton" />
    ))}
  </div>
);

export function Apps({ overview: { rows, failed, isOrdered } }: { overview: Overview }) {
  const linkTo = useLinks();
  const hrefOf = ({ app }: Row) => linkTo('today', app.id) ?? '/';
  if (!isOrdered) return <AppsSkeleton count={rows.length} />;
  return (
    <>
      <FailedNotice failed={failed} />
      <section class="card flush wide-only home-apps">
        <Table
          caption={t.apps}
          rows={rows}
          columns={columnsOf(scaleOf(rows))}
          keyOf={({ app }) => app.id}
          rowHref={hrefOf}
          csvName={null}
          sort={{ column: t.mrr, isDescending: true }}
        />
      </section>
      <div class="narrow-only app-cards">
        {rows.map((row) => (
          <AppCard key={row.app.id} row={row} href={hrefOf(row)} />
        ))}
      </div>
    </>
  );
}

export const appCsv = (rows: readonly Row[]): (string | number | null)[][] => [
  [t.app, t.people, t.conversion, t.downloads, t.proceeds, t.mrr, t.state],
  ...rows.map((row) => [
    row.app.displayName,
    peopleOf(row),
    rateOf(row),
    row.sales?.downloads ?? null,
    proceedsOf(row),
    mrrOf(row),
    stateOf(row)?.text ?? null,
  ]),
];
