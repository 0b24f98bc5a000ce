import type { ComponentChildren } from 'preact';
import { downloadCsv } from './download.ts';

export type Column<T> = {
  label: string;
  /** What is drawn. */
  show: (row: T) => ComponentChildren;
  /** What stands in the CSV; without it the column is left out there. */
  plain?: (row: T) => string | number | null;
  number?: boolean;
};

/** Rows as a table; as cards on a narrow screen, and as CSV. */
export function Table<T>(props: {
  caption: string;
  rows: readonly T[];
  /** Where the CSV has more rows than are drawn. */
  csvRows?: readonly T[];
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  csvName?: string;
}) {
  const { rows, columns } = props;
  const save = () => {
    const kept = columns.filter(({ plain }) => plain !== undefined);
    const lines = (props.csvRows ?? rows).map((row) =>
      kept.map(({ plain }) => plain?.(row) ?? null),
    );
    downloadCsv(`${props.csvName}.csv`, [kept.map(({ label }) => label), ...lines]);
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
      {props.csvName && rows.length > 0 && (
        <button type="button" class="link" onClick={save}>
          CSV
        </button>
      )}
    </>
  );
}
