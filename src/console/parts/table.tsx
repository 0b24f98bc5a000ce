import type { ComponentChildren } from 'preact';
import { texts } from '../texts/index.ts';
import { downloadCsv } from './download.ts';

export type Column<T> = {
  label: string;
  /** What is drawn. */
  show: (row: T) => ComponentChildren;
  /** What stands in the CSV where it is not what is drawn; a column that draws no text is left out. */
  plain?: (row: T) => string | number | null;
  number?: boolean;
};

type Plain = string | number | null;

/** What a column says of a row in the CSV; undefined where it says nothing there. */
function plainOf<T>({ plain, show }: Column<T>, row: T): Plain | undefined {
  if (plain) return plain(row);
  const shown = show(row);
  if (shown === null || shown === undefined || typeof shown === 'boolean') return null;
  return typeof shown === 'string' || typeof shown === 'number' ? shown : undefined;
}

/** Rows as a table; as cards on a narrow screen, and as CSV. */
export function Table<T>(props: {
  caption: string;
  rows: readonly T[];
  /** Where the CSV has more rows than are drawn. */
  csvRows?: readonly T[];
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  /** The name of the file; that of the caption when left out. */
  csvName?: string;
}) {
  const { rows, columns } = props;
  const name = props.csvName ?? props.caption.toLowerCase().replaceAll(/\W+/g, '-');
  const save = () => {
    const all = props.csvRows ?? rows;
    const kept = columns.filter((column) => all.every((row) => plainOf(column, row) !== undefined));
    const lines = all.map((row) => kept.map((column) => plainOf(column, row) ?? null));
    downloadCsv(`${name}.csv`, [kept.map(({ label }) => label), ...lines]);
  };
  return (
    <>
      <table class="table">
        <caption class="skip">{props.caption}</caption>
        <thead>
          <tr>
            {columns.map(({ label, number }) => (
              <th scope="col" class={number ? 'number' : undefined} key={label}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={props.keyOf(row)}>
              {columns.map(({ label, show, number }) => (
                <td data-label={label} class={number ? 'number' : undefined} key={label}>
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > 0 && (
        <button type="button" class="link" onClick={save} aria-label={texts.csvOf(props.caption)}>
          {texts.csv}
        </button>
      )}
    </>
  );
}
