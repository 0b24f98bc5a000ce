import type { ComponentChildren } from 'preact';
import { exactNumber, rate as shownRate, rateInterval, UNKNOWN } from '../../format.ts';
import { chart as t } from '../../texts/chart.ts';
import { useCardCsv } from '../card.tsx';
import { downloadCsv } from '../download.ts';
import { ScrollFrame } from '../scroll-frame.tsx';
import { heatShare } from './heat-share.ts';
import type { HeatCellProps, TriangleProps } from './types.ts';

/** Tinted only where its interval does not touch the one compared with. */
export const Heat = (props: { tone?: 'good' | 'bad' | null; children: ComponentChildren }) => (
  <span class={`heat ${props.tone ?? ''}`}>{props.children}</span>
);

const intervalOf = ({ low, high }: HeatCellProps) =>
  low === undefined || low === null || high === undefined || high === null
    ? null
    : rateInterval(low, high);

export function HeatCell(
  cell: HeatCellProps & { most?: number; onClick?: () => void; name?: string },
) {
  const { rate, most = 1, onClick, name, count } = cell;
  if (rate === null && !count) return <span class="heat-cell empty">{UNKNOWN}</span>;
  const shown = rate === null ? exactNumber(count?.people ?? 0) : shownRate(rate);
  const words = [name, count && t.countOf(count.people, count.of), intervalOf(cell)]
    .filter(Boolean)
    .join(', ');
  const look = {
    class: `heat-cell ${rate === null ? 'empty' : ''}`,
    title: words,
    style: { '--heat': `${heatShare(rate ?? 0, most)}%` },
  };
  return onClick ? (
    <button type="button" {...look} aria-label={[words, shown].join(', ')} onClick={onClick}>
      {shown}
    </button>
  ) : (
    <span {...look}>{shown}</span>
  );
}

/** Counts where there are no rates. */
function saveTriangle({ caption, heads, columns, rows, csvName }: TriangleProps): void {
  downloadCsv(`${csvName ?? caption.toLowerCase()}.csv`, [
    [heads.cohort, heads.people, ...columns],
    ...rows.map(({ name, people, cells }) => [
      name,
      people,
      ...columns.map((_, index) => cells[index]?.rate ?? cells[index]?.count?.people ?? null),
    ]),
  ]);
}

export function Triangle(triangle: TriangleProps) {
  const { caption, heads, columns, rows, onCell, onRow } = triangle;
  useCardCsv(rows.length > 0 ? () => saveTriangle(triangle) : null);
  // Where everybody is counted nothing tells apart.
  const rates = rows.flatMap(({ cells }) =>
    cells.flatMap((cell) => (cell?.rate === undefined || cell.rate === 1 ? [] : [cell.rate ?? 0])),
  );
  const most = Math.max(0, ...rates) || 1;
  return (
    <ScrollFrame class="table-frame" label={caption}>
      <table class="triangle">
        <caption class="skip">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{heads.cohort}</th>
            <th scope="col" class="number">
              {heads.people}
            </th>
            {columns.map((column) => (
              <th scope="col" class="heat-head" key={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, people, cells, isTotal }) => (
            <tr key={key} class={isTotal ? 'total' : undefined}>
              <th scope="row">{name}</th>
              <td class="number">
                {onRow && !isTotal ? (
                  <button
                    type="button"
                    class="link"
                    aria-label={t.rowOf(name, people)}
                    onClick={() => onRow(key)}
                  >
                    {exactNumber(people)}
                  </button>
                ) : (
                  exactNumber(people)
                )}
              </td>
              {columns.map((column, index) => {
                const cell = cells[index] ?? null;
                return (
                  <td key={column}>
                    {cell && (
                      <HeatCell
                        {...cell}
                        most={most}
                        name={`${name}, ${column}`}
                        {...(onCell && !isTotal && { onClick: () => onCell(key, index) })}
                      />
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}
