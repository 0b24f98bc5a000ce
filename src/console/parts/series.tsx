import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { Table } from './table.tsx';

export type Line = { label: string; values: readonly (number | null)[] };

const HEIGHT_PX = 220;
/** Space above the highest point. */
const HEADROOM = 1.1;
const color = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name);

function optionsOf(lines: readonly Line[], width: number, show: (value: number) => string) {
  const axis = { stroke: color('--quiet'), grid: { stroke: color('--line'), width: 1 } };
  const text = (_: uPlot, value: number | null) => (value === null ? '–' : show(value));
  return {
    width,
    height: HEIGHT_PX,
    scales: {
      y: {
        range: (_: uPlot, _low: number, high: number): [number, number] => [
          0,
          (high || 1) * HEADROOM,
        ],
      },
    },
    axes: [axis, { ...axis, size: 64, values: (_: uPlot, ticks: number[]) => ticks.map(show) }],
    series: [
      {},
      ...lines.map(({ label }, index) => ({
        label,
        stroke: color(`--series-${index + 1}`),
        width: 2,
        value: text,
        points: { show: false },
      })),
    ],
  } satisfies uPlot.Options;
}

/** Lines over days, with the same figures as a table behind them; a null is a gap. */
export function Series(props: {
  title: string;
  /** Calendar days, ascending. */
  days: readonly string[];
  lines: readonly Line[];
  show: (value: number) => string;
  csvName: string;
  /** Opens what is behind a day. */
  onPick?: (day: string) => void;
}) {
  const { days, lines, show, onPick } = props;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const seconds = days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1_000);
    const data: uPlot.AlignedData = [seconds, ...lines.map(({ values }) => [...values])];
    const chart = new uPlot(optionsOf(lines, element.clientWidth, show), data, element);
    if (onPick) {
      chart.over.addEventListener('click', () => {
        const day = days[chart.cursor.idx ?? -1];
        if (day !== undefined) onPick(day);
      });
    }
    const watcher = new ResizeObserver(() =>
      chart.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      chart.destroy();
    };
  }, [days, lines]);
  const rows = days.map((day, index) => ({ day, index }));
  return (
    <figure class="chart" aria-label={props.title}>
      <div ref={place} aria-hidden="true" />
      <details>
        <summary>{props.title} as a table</summary>
        <Table
          caption={props.title}
          rows={rows}
          keyOf={({ day }) => day}
          csvName={props.csvName}
          columns={[
            {
              label: 'Day',
              show: ({ day }) =>
                onPick ? (
                  <button type="button" class="link" onClick={() => onPick(day)}>
                    {day}
                  </button>
                ) : (
                  day
                ),
              plain: ({ day }) => day,
            },
            ...lines.map(({ label, values }) => ({
              label,
              number: true,
              show: ({ index }: { index: number }) => {
                const value = values[index] ?? null;
                return value === null ? '–' : show(value);
              },
              plain: ({ index }: { index: number }) => values[index] ?? null,
            })),
          ]}
        />
      </details>
    </figure>
  );
}
