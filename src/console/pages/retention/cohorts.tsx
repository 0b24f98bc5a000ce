import type { ComponentChildren } from 'preact';
import { calendarDay, dayIn, exactNumber, rate, when } from '../../format.ts';
import { type Column, Table } from '../../parts/table.tsx';
import type { api } from '../../state/api.ts';
import { funnels as funnelsTexts } from '../../texts/funnels.ts';
import { retention as t } from '../../texts/retention.ts';

type Report = Awaited<ReturnType<typeof api.getEventRetention>>;
type Period = Report['mean'][number];
type Row = {
  label: string;
  /** Of the cohort; null for the mean. */
  index: number | null;
  people: number | null;
  periods: readonly Period[];
};
/** Opens the people of a cohort, or of one of its periods. */
type Pick = (cell: { cohort: number; period: number | null }) => void;

/** A rate where it may be drawn, else the count; nothing for a period that is not over. */
function cell(period: Period | undefined) {
  if (!period) return '';
  if (period.rate === null) {
    return period.returned === null ? (
      ''
    ) : (
      <span class="quiet">{exactNumber(period.returned)}</span>
    );
  }
  const interval = `${rate(period.rateLow)} – ${rate(period.rateHigh)}`;
  return <span title={`${period.returned ?? ''} (${interval})`}>{rate(period.rate)}</span>;
}

function columnsOf({ mean, interval }: Report, pick: Pick): Column<Row>[] {
  const button = ({ index }: Row, period: number | null, shown: ComponentChildren) =>
    index === null || shown === '' ? (
      shown
    ) : (
      <button type="button" class="link" onClick={() => pick({ cohort: index, period })}>
        {shown}
      </button>
    );
  return [
    { label: t.cohort, show: ({ label }) => label },
    {
      label: t.size,
      number: true,
      show: (row) => button(row, null, row.people === null ? '' : exactNumber(row.people)),
      plain: ({ people }) => people,
    },
    ...mean.map((_, index) => ({
      label: t.period[interval](index + 1),
      number: true,
      show: (row: Row) => button(row, index + 1, cell(row.periods[index])),
      plain: (row: Row) => row.periods[index]?.rate ?? null,
    })),
  ];
}

export function Cohorts({ report, onPick }: { report: Report; onPick: Pick }) {
  const { cohorts, mean, people, minimumPeople, verdict, dataThrough, timezone } = report;
  const rows: Row[] = [
    ...(verdict === 'ready' ? [{ label: t.mean, index: null, people: null, periods: mean }] : []),
    ...cohorts.map(({ from, people: size, periods }, index) => ({
      label: calendarDay(dayIn(from, timezone)),
      index,
      people: size,
      periods,
    })),
  ];
  return (
    <>
      {verdict !== 'ready' && (
        <p class="notice">{people === 0 ? t.noData : t.verdict(people, minimumPeople)}</p>
      )}
      <Table
        caption={t.title}
        rows={rows}
        columns={columnsOf(report, onPick)}
        keyOf={({ label }) => label}
        csvName="retention"
      />
      <p class="quiet">
        {t.meaning} {t.few} {t.pick} {timezone} · {funnelsTexts.through} {when(dataThrough)}.
      </p>
    </>
  );
}
