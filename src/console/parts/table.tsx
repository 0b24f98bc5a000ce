import { useSignal } from '@preact/signals';
import type { ComponentChildren, ComponentProps } from 'preact';
import { ago, exactNumber, UNKNOWN, when } from '../format.ts';
import { isNarrow } from '../state/narrow.ts';
import { into } from '../state/signals.ts';
import { CsvButton, useCardCsv } from './card.tsx';
import { downloadCsv } from './download.ts';
import * as icons from './icons.ts';
import { ScrollFrame } from './scroll-frame.tsx';
import { Empty } from './states.tsx';

export type Plain = string | number | null;

export type Column<T> = {
  label: string;
  show?: (row: T) => ComponentChildren;
  /** In place of `show`: a number as `format` shows it, a dash for none. */
  figure?: (row: T) => number | null;
  format?: (value: number) => ComponentChildren;
  /** In place of `show`: an instant. */
  at?: (row: T) => string | null;
  isAgo?: boolean;
  /** A column that draws no text is left out. */
  plain?: (row: T) => Plain;
  number?: boolean;
  /** By what the column sorts, true for `plain`; without it the column cannot be sorted by. */
  sort?: ((row: T) => Plain) | true;
  second?: (row: T) => ComponentChildren;
  foot?: ComponentChildren;
  /** The first four where none says so. */
  narrow?: boolean;
  /** Its name is heard, not seen. */
  isAct?: boolean;
};

export type Sorting = { column: string; isDescending?: boolean };

type Whole<T> = Omit<Column<T>, 'show' | 'sort'> & {
  show: (row: T) => ComponentChildren;
  sort?: (row: T) => Plain;
};

function showOf<T>({ show, figure, format = exactNumber, at, isAgo }: Column<T>) {
  return (row: T): ComponentChildren => {
    if (show) return show(row);
    const [value, instant] = [figure?.(row) ?? null, at?.(row) ?? null];
    if (instant !== null) return isAgo ? ago(instant) : when(instant);
    return value === null ? figure && UNKNOWN : format(value);
  };
}

function wholeOf<T>(column: Column<T>): Whole<T> {
  const { figure, at, plain = figure ?? at, sort, ...rest } = column;
  const show = showOf(column);
  const sortBy = sort === true ? (plain ?? ((row: T) => plainOf({ show }, row) ?? null)) : sort;
  return {
    ...(figure && { number: true }),
    ...rest,
    show,
    ...(plain && { plain }),
    ...(sortBy && { sort: sortBy }),
  };
}

function plainOf<T>(column: Pick<Whole<T>, 'plain' | 'show'>, row: T): Plain | undefined {
  if (column.plain) return column.plain(row);
  const shown = column.show(row);
  if (shown === null || shown === undefined || typeof shown === 'boolean') return null;
  return typeof shown === 'string' || typeof shown === 'number' ? shown : undefined;
}

export function saveRows<T>(name: string, all: readonly Column<T>[], rows: readonly T[]): void {
  const columns = all.map(wholeOf);
  const kept = columns.filter((column) => rows.every((row) => plainOf(column, row) !== undefined));
  const lines = rows.map((row) => kept.map((column) => plainOf(column, row) ?? null));
  downloadCsv(`${name}.csv`, [kept.map(({ label }) => label), ...lines]);
}

/** What is unknown comes last either way. */
function sorted<T>(
  rows: readonly T[],
  columns: readonly Whole<T>[],
  by: Sorting | null,
): readonly T[] {
  const key = columns.find(({ label }) => label === by?.column)?.sort;
  if (!key || !by) return rows;
  const direction = by.isDescending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [key(one), key(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === 'string' || typeof b === 'string') {
      return direction * String(a).localeCompare(String(b));
    }
    return direction * (a - b);
  });
}

const NARROW_COLUMNS = 4;

function isWide<T>(columns: readonly Whole<T>[], index: number): boolean {
  const isChosen = columns.some(({ narrow }) => narrow);
  return isChosen ? !columns[index]?.narrow : index >= NARROW_COLUMNS;
}

function classOf<T>(columns: readonly Whole<T>[], index: number): string | undefined {
  const column = columns[index];
  return (
    [column?.number && 'number', column?.isAct && 'acts', isWide(columns, index) && 'wide-only']
      .filter(Boolean)
      .join(' ') || undefined
  );
}

function Rest<T>({ columns, row }: { columns: readonly Whole<T>[]; row: T }) {
  const rest = columns.filter(
    (column, index) =>
      isWide(columns, index) &&
      column.label &&
      !column.isAct &&
      !['', null, undefined].includes(plainOf(column, row)?.toString()),
  );
  if (!isNarrow.value || rest.length === 0) return null;
  return (
    <div class="sub table-rest">
      {rest.map(({ label, show }) => (
        <span key={label}>
          {label}: {show(row)}
        </span>
      ))}
    </div>
  );
}

function Head<T>(props: {
  columns: readonly Whole<T>[];
  by: Sorting | null;
  onSort: (by: Sorting) => void;
}) {
  const { columns, by, onSort } = props;
  return (
    <tr>
      {columns.map(({ label, sort, number, isAct }, index) => {
        const isBy = by?.column === label;
        const isDescending = isBy ? !by.isDescending : Boolean(number);
        const Arrow = by?.isDescending ? icons.sortedDown : icons.sortedUp;
        if (!label) return <td key={label} class={classOf(columns, index)} />;
        return (
          <th
            scope="col"
            key={label}
            class={classOf(columns, index)}
            aria-sort={isBy ? (by.isDescending ? 'descending' : 'ascending') : undefined}
          >
            {sort ? (
              <button type="button" onClick={() => onSort({ column: label, isDescending })}>
                {label}
                {isBy && <Arrow class="tiny" />}
              </button>
            ) : isAct ? (
              <span class="skip">{label}</span>
            ) : (
              label
            )}
          </th>
        );
      })}
    </tr>
  );
}

function Foot<T>({ columns }: { columns: readonly Whole<T>[] }) {
  if (columns.every(({ foot }) => foot === undefined)) return null;
  return (
    <tfoot>
      <tr>
        {columns.map(({ label, foot }, index) => (
          <td class={classOf(columns, index)} key={label}>
            {foot}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

export type TableProps<T> = TableLook<T> & { caption: string; rows: readonly T[] };

export type TableLook<T> = {
  total?: T;
  csvRows?: readonly T[];
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  /** That of the caption when left out; null for none. */
  csvName?: string | null;
  sort?: Sorting;
  onRow?: (row: T) => void;
  rowHref?: (row: T) => string;
  isChosen?: (row: T) => boolean;
  dense?: boolean;
  empty?: ComponentProps<typeof Empty>;
};

export function Table<T>(props: TableProps<T>) {
  const { rows, onRow, rowHref, isChosen } = props;
  const columns = props.columns.map(wholeOf);
  const by = useSignal<Sorting | null>(props.sort ?? null);
  const name = props.csvName ?? props.caption.toLowerCase().replaceAll(/\W+/g, '-');
  const total = props.total === undefined ? [] : [props.total];
  const save = () => saveRows(name, props.columns, [...(props.csvRows ?? rows), ...total]);
  const hasCsv = props.csvName !== null && rows.length > 0;
  const isInCard = useCardCsv(hasCsv ? save : null);
  if (rows.length === 0 && props.empty) return <Empty {...props.empty} />;
  const named = (row: T, content: ComponentChildren) => {
    if (rowHref) {
      return (
        <a class="row-link" href={rowHref(row)}>
          {content}
        </a>
      );
    }
    if (!onRow) return content;
    return (
      <button type="button" class="row-link" onClick={() => onRow(row)}>
        {content}
      </button>
    );
  };
  return (
    <>
      <ScrollFrame class="table-frame" label={props.caption}>
        <table class={props.dense ? 'table dense' : 'table'}>
          <caption class="skip">{props.caption}</caption>
          <thead>
            <Head columns={columns} by={by.value} onSort={into(by)} />
          </thead>
          <tbody>
            {[...sorted(rows, columns, by.value), ...total].map((row) => (
              <tr key={props.keyOf(row)} class={isChosen?.(row) ? 'chosen' : undefined}>
                {columns.map(({ label, show, second }, index) => (
                  <td class={classOf(columns, index)} key={label}>
                    {index === 0 ? named(row, show(row)) : show(row)}
                    {second && <div class="sub">{second(row)}</div>}
                    {index === 0 && <Rest columns={columns} row={row} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <Foot columns={columns} />
        </table>
      </ScrollFrame>
      {hasCsv && !isInCard && <CsvButton of={props.caption} save={save} class="table-csv" />}
    </>
  );
}
