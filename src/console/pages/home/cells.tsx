import type { ComponentChildren } from 'preact';
import {
  exactNumber,
  money,
  rate,
  rateInterval,
  roundMoney,
  shortAgo,
  shortNumber,
  UNKNOWN,
  wholeUnits,
} from '../../format.ts';
import { AppIcon } from '../../parts/app-icon.tsx';
import { Change } from '../../parts/change.tsx';
import { Interval, type Scale, Spark } from '../../parts/chart/index.ts';
import { DayChange, Unconverted, WithoutAmount } from '../../parts/figure-kpis/index.ts';
import { salesChange } from '../../state/app-sales.ts';
import type { Had } from '../../state/had.ts';
import { hasUnchecked, worthALook } from '../../state/insights.ts';
import { finishedValues, latestDay } from '../../state/people-days.ts';
import { revenueChange, revenueOfAll } from '../../state/revenue-of-all.ts';
import { figures } from '../../texts/figures.ts';
import { home as t } from '../../texts/home.ts';
import { texts } from '../../texts/index.ts';
import type { Row } from './overview.ts';

const SPARK = { width: 96, height: 32, hasArea: true };
const INTERVAL_PX = 72;

function Stacked(props: {
  had: Had<unknown>;
  why: string;
  figure?: ComponentChildren;
  below?: ComponentChildren;
}) {
  const { had, why, figure, below } = props;
  if (had === undefined) {
    return (
      <span class="cell-figure" aria-busy="true">
        <span class="skeleton" />
      </span>
    );
  }
  if (had === null) {
    return (
      <span class="cell-figure quiet" title={why}>
        {UNKNOWN}
        <span class="skip">{why}</span>
      </span>
    );
  }
  return (
    <span class="cell-figure">
      <b>{figure}</b>
      <span class="sub">{below}</span>
    </span>
  );
}

export function lastSeen({ app, summary }: Row): string {
  const last = summary?.lastEventAt ? shortAgo(summary.lastEventAt) : summary ? t.never : '';
  const version = app.store?.version;
  return version && last ? t.inStore(version, last) : (version ?? last);
}

export const NameCell = ({ row }: { row: Row }) => (
  <span class="app-cell">
    <AppIcon app={row.app} size="large" />
    <span class="cell-figure">
      <b class="cut" title={row.app.displayName}>
        {row.app.displayName}
      </b>
      <span class="sub">{lastSeen(row)}</span>
    </span>
  </span>
);

export function PeopleFigure({ row: { people } }: { row: Row }) {
  const latest = people && latestDay(people);
  return (
    <Stacked
      had={people && (latest ?? null)}
      why={figures.noEvents}
      figure={latest && <span title={exactNumber(latest.value)}>{shortNumber(latest.value)}</span>}
      below={
        latest &&
        people &&
        (latest.isPartial ? figures.soFar : <DayChange latest={latest} isShort />)
      }
    />
  );
}

export const PeopleCell = ({ row }: { row: Row }) => (
  <span class="app-cell">
    <Spark kind="line" values={row.people ? finishedValues(row.people) : []} {...SPARK} />
    <PeopleFigure row={row} />
  </span>
);

export function ConversionFigure({ row: { conversion } }: { row: Row }) {
  const report = conversion?.report;
  const { rate: share = null, rateLow = null, rateHigh = null } = report?.overall ?? {};
  return (
    <Stacked
      had={conversion}
      why={figures.noFunnel}
      figure={share === null ? UNKNOWN : rate(share)}
      below={
        rateLow !== null && rateHigh !== null
          ? rateInterval(rateLow, rateHigh)
          : report && figures.fewPeople(report.people, report.minimumPeople)
      }
    />
  );
}

export function ConversionCell({ row, scale }: { row: Row; scale: Scale }) {
  const {
    rate: share = null,
    rateLow = null,
    rateHigh = null,
  } = row.conversion?.report.overall ?? {};
  return (
    <span class="app-cell">
      <Interval scale={scale} value={share} low={rateLow} high={rateHigh} width={INTERVAL_PX} />
      <ConversionFigure row={row} />
    </span>
  );
}

export function SalesCell({ row: { sales }, of }: { row: Row; of: 'proceedsMinor' | 'downloads' }) {
  const isMoney = of === 'proceedsMinor';
  return (
    <Stacked
      had={sales}
      why={figures.noStore}
      figure={
        sales &&
        (isMoney ? (
          <span title={money(sales.proceedsMinor, sales.currency)}>
            {roundMoney(
              Math.round(wholeUnits(sales.proceedsMinor, sales.currency)),
              sales.currency,
            )}
          </span>
        ) : (
          shortNumber(sales.downloads)
        ))
      }
      below={
        sales && (
          <>
            <Change value={salesChange(sales, of)} goodWhen="up" />
            {isMoney && <Unconverted sales={sales} isShort />}
          </>
        )
      }
    />
  );
}

export function MrrFigure({ row: { revenue } }: { row: Row }) {
  const sum = revenue && revenueOfAll([revenue]);
  return (
    <Stacked
      had={revenue}
      why={figures.noPurchase}
      figure={sum && money(sum.mrrMinor, sum.currency)}
      below={
        sum && (
          <>
            <Change value={revenueChange(sum)} goodWhen="up" />
            <WithoutAmount count={sum.without} />
          </>
        )
      }
    />
  );
}

export const MrrCell = ({ row }: { row: Row }) => (
  <span class="app-cell end">
    <Spark
      kind="line"
      slot={3}
      values={row.revenue ? row.revenue.byDay.map(({ mrrMinor }) => mrrMinor) : []}
      {...SPARK}
    />
    <MrrFigure row={row} />
  </span>
);

export function stateOf({ app, summary, insights }: Row): { tone: string; text: string } | null {
  if (app.status !== 'active') return { tone: 'warn', text: t.states[app.status] };
  if (summary?.lastEventAt === null) return { tone: '', text: t.states.quiet };
  if (!insights) return null;
  const count = worthALook(insights).length;
  if (count > 0) return { tone: 'warn', text: texts.nav.toLookAt(count) };
  if (hasUnchecked(insights)) return { tone: '', text: texts.nav.unchecked };
  return { tone: 'good', text: texts.nav.allRight };
}

export function StateChip({ row }: { row: Row }) {
  const state = stateOf(row);
  return state && <span class={`chip ${state.tone}`}>{state.text}</span>;
}
