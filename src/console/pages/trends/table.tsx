import type { ComponentChildren } from 'preact';
import { exactNumber, UNKNOWN } from '../../format.ts';
import { Change } from '../../parts/change.tsx';
import { STEPS_BACK } from '../../parts/chart/days.ts';
import { type Figure, type Format, Meter, Spark, Swatch } from '../../parts/chart/index.ts';
import { type Column, saveRows, Table } from '../../parts/table.tsx';
import { addDays } from '../../state/days.ts';
import type { SeriesInterval } from '../../state/range-query.ts';
import { changeSince } from '../../state/people-days.ts';
import { trends as trendsTexts } from '../../texts/trends.ts';
import { type Course, courseOf, type Line, type Lines } from './lines.ts';
import { placeName, shifted, shortPlace } from './places.ts';

const t = trendsTexts.table;

type Row = Line & Course & { share: number };

export type TableOf = {
  lines: Lines;
  interval: SeriesInterval;
  today: string;
  dimension: string;
  figure: string;
  days: string;
  format: Format;
  isOfPeople?: boolean;
  isJudged: boolean;
  isRunning?: boolean;
  against?: string | undefined;
  peopleHref?: (key: string, place: string) => string | undefined;
};

function latestNames({ lines, interval, today }: TableOf): { latest: string; against: string } {
  const place = lines.places[lines.finished - 1] ?? today;
  const earlier = shifted(place, interval, -STEPS_BACK[interval]);
  const isLast = lines.finished === lines.places.length - 1;
  switch (interval) {
    case 'week':
      return { latest: isLast ? t.lastWeek : placeName(place, interval), against: t.weekBefore };
    case 'month':
      return { latest: isLast ? t.lastMonth : placeName(place, interval), against: t.monthBefore };
    case 'hour':
      return { latest: isLast ? t.lastHour : placeName(place, interval), against: t.dayBefore };
    default:
      return {
        latest: place === addDays(today, -1) ? t.yesterday : placeName(place, interval),
        against: placeName(earlier, interval),
      };
  }
}

function rowsOf({ lines, interval }: TableOf): Row[] {
  const most = Math.max(...lines.lines.map(({ total }) => total ?? 0)) || 1;
  return lines.lines.map((line) => ({
    ...line,
    ...courseOf(line, lines.finished, STEPS_BACK[interval]),
    share: (line.total ?? 0) / most,
  }));
}

const shown = (value: number | null, { show, isWhole }: Format): string | null =>
  value === null ? null : show(isWhole ? Math.round(value) : value);

const COUNT: Format = { show: exactNumber };
const SHARE_FROM = 10;

const changeOf = ({ latest, earlier }: Course): number | null =>
  latest === null || earlier === null || earlier < SHARE_FROM
    ? null
    : changeSince({ value: latest, before: earlier });

const isCompared = ({ against, lines }: TableOf): boolean =>
  against !== undefined && lines.lines.some(({ change }) => change !== null);

const column = (
  label: string,
  of: (row: Row) => Figure,
  show: (value: Figure) => ComponentChildren,
): Column<Row> => ({ label, number: true, sort: of, plain: of, show: (row) => show(of(row)) });

function nameColumn(label: string): Column<Row> {
  return {
    label,
    narrow: true,
    sort: ({ name }) => name,
    plain: ({ name }) => name,
    show: ({ name, slot }) => (
      <span class="trend-name">
        <Swatch slot={slot} />
        <bdi title={name}>{name}</bdi>
      </span>
    ),
  };
}

const figureColumn = (label: string, format: Format): Column<Row> => ({
  label,
  narrow: true,
  sort: ({ total }) => total,
  plain: ({ total }) => total,
  show: ({ total, share, slot }) => (
    <span class="trend-figure">
      <b>{shown(total, format) ?? UNKNOWN}</b>
      <Meter share={share} paint={slot} />
    </span>
  ),
});

function highestColumn({ interval, lines, format }: TableOf): Column<Row> {
  return {
    label: t.highest[interval],
    number: true,
    sort: ({ highest }) => highest?.value ?? null,
    plain: ({ highest }) => highest?.value ?? null,
    show: ({ highest }) =>
      highest && (
        <>
          {shown(highest.value, format)}{' '}
          <span class="quiet">{shortPlace(lines.places[highest.index] ?? '', interval)}</span>
        </>
      ),
  };
}

function whoColumn({ lines, interval, peopleHref, isRunning }: TableOf): Column<Row>[] {
  const place = isRunning ? lines.places.at(-1) : lines.places[lines.finished - 1];
  if (!peopleHref || place === undefined) return [];
  return [
    {
      label: t.who,
      number: true,
      show: ({ key, name, source }) => {
        const href = source && peopleHref(key, place);
        return (
          href && (
            <a href={href} aria-label={t.peopleOf(name, placeName(place, interval))}>
              {t.people}
            </a>
          )
        );
      },
    },
  ];
}

function columnsOf(of: TableOf): Column<Row>[] {
  if (of.isRunning)
    return [nameColumn(of.dimension), figureColumn(of.figure, of.format), ...whoColumn(of)];
  const { latest, against } = latestNames(of);
  const figure = (value: Figure) => shown(value, of.format);
  const change = (value: Figure) => (
    <Change value={value} goodWhen={of.isJudged ? 'up' : undefined} />
  );
  return [
    nameColumn(of.dimension),
    figureColumn(of.figure, of.format),
    ...(of.isOfPeople === false
      ? [
          column(
            t.people,
            ({ people }) => people,
            (value) => shown(value, COUNT),
          ),
        ]
      : []),
    ...(isCompared(of) ? [column(t.against(of.against ?? ''), (row) => row.change, change)] : []),
    column(t.means[of.interval], ({ mean }) => mean, figure),
    highestColumn(of),
    { ...column(latest, (row) => row.latest, figure), narrow: true },
    { ...column(t.against(against), changeOf, change), narrow: true },
    {
      label: of.days,
      show: ({ values, slot }) => (
        <Spark
          kind="line"
          height={24}
          width={120}
          slot={slot}
          values={values.slice(0, of.lines.finished)}
        />
      ),
    },
    ...whoColumn(of),
  ];
}

export const saveTable = (of: TableOf) => saveRows('trend-table', columnsOf(of), rowsOf(of));

export function TrendTable(props: {
  of: TableOf;
  only: string | undefined;
  onOnly: (key: string | undefined) => void;
}) {
  const { of, only, onOnly } = props;
  const rows = rowsOf(of);
  return (
    <section class="card trend-table" aria-label={t.title}>
      <Table
        caption={t.title}
        rows={rows}
        keyOf={({ key }) => key}
        columns={columnsOf(of)}
        sort={{ column: of.figure, isDescending: true }}
        csvName={null}
        isChosen={({ key }) => key === only}
        {...(rows.length > 1 && {
          onRow: ({ key }: Row) => onOnly(key === only ? undefined : key),
        })}
      />
    </section>
  );
}
