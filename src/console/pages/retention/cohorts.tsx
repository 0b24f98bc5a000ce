import { calendarDay, exactNumber, rate, when } from '../../format.ts';
import { type Column, Table } from '../../parts/table.tsx';
import type { api } from '../../state/api.ts';
import { texts } from '../../texts/index.ts';

const t = texts.retention;
type Report = Awaited<ReturnType<typeof api.getEventRetention>>;
type Period = Report['mean'][number];
type Row = { label: string; people: number | null; periods: readonly Period[] };

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

function columnsOf(periods: number): Column<Row>[] {
  return [
    { label: t.cohort, show: ({ label }) => label, plain: ({ label }) => label },
    {
      label: t.size,
      number: true,
      show: ({ people }) => (people === null ? '' : exactNumber(people)),
      plain: ({ people }) => people,
    },
    ...Array.from({ length: periods }, (_, index) => ({
      label: String(index + 1),
      number: true,
      show: (row: Row) => cell(row.periods[index]),
      plain: (row: Row) => row.periods[index]?.rate ?? null,
    })),
  ];
}

export function Cohorts({ report }: { report: Report }) {
  const { cohorts, mean, people, minimumPeople, verdict, dataThrough, timezone } = report;
  const rows: Row[] = [
    ...(verdict === 'ready' ? [{ label: t.mean, people: null, periods: mean }] : []),
    ...cohorts.map(({ from, people: size, periods }) => ({
      label: calendarDay(from.slice(0, 10)),
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
        columns={columnsOf(mean.length)}
        keyOf={({ label }) => label}
        csvName="retention"
      />
      <p class="quiet">
        {t.meaning} {t.few} {timezone} · {texts.funnels.through} {when(dataThrough)}.
      </p>
    </>
  );
}
