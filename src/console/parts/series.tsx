import 'uplot/dist/uPlot.min.css';
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { calendarDay, shortDay } from '../format.ts';
import { chart as t } from '../texts/chart.ts';
import { amountRange, DAY_STEPS, dayOf, numberOf, widthOf } from './axis.ts';
import { download } from './download.ts';
import { Table } from './table.tsx';

export type Line = { label: string; values: readonly (number | null)[] };
/** Something that happened on a day, such as the first sight of a version. */
export type Mark = { day: string; label: string };

const HEIGHT_PX = 220;
const NO_MARKS: readonly Mark[] = [];
const color = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name);

/** Drawn lines do not follow the colours of the page by themselves. */
const isDark = signal(matchMedia('(prefers-color-scheme: dark)').matches);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
  isDark.value = matches;
});

/** A thin upright line at each mark, under the figures. */
function drawMarks(chart: uPlot, marks: readonly Mark[]): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.strokeStyle = color('--quiet');
  ctx.setLineDash([2, 4]);
  for (const { day } of marks) {
    const x = Math.round(chart.valToPos(numberOf(day), 'x', true)) + 0.5;
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

type Drawing = {
  days: readonly string[];
  lines: readonly Line[];
  /** The last point is not over yet: drawn dashed. */
  unfinished: boolean;
  marks: readonly Mark[];
  show: (value: number) => string;
  showTick: (value: number) => string;
};

/** Up to the last finished point, and from there on by itself. */
function parted({ values }: Line, unfinished: boolean): (number | null)[][] {
  if (!unfinished || values.length < 2) return [[...values]];
  const end = values.length - 2;
  return [values.map((v, i) => (i > end ? null : v)), values.map((v, i) => (i < end ? null : v))];
}

/** A day between two gaps is a dot, since no line leads to it. */
function alone(chart: uPlot, index: number): number[] {
  const values = chart.data[index] ?? [];
  const isGap = (at: number) => (values[at] ?? null) === null;
  return [...values.keys()].filter((at) => !isGap(at) && isGap(at - 1) && isGap(at + 1));
}

function optionsOf(drawing: Drawing, width: number) {
  const { days, lines, marks, show, showTick, unfinished } = drawing;
  const single = days.length === 1 ? numberOf(days[0] ?? '') : undefined;
  const nameOf = (number: number) => shortDay(dayOf(number));
  const axis = { stroke: color('--quiet'), grid: { stroke: color('--line'), width: 1 } };
  const text = (_: uPlot, value: number | null) => (value === null ? '–' : show(value));
  return {
    width,
    height: HEIGHT_PX,
    scales: {
      x: {
        time: false,
        // A single day stands in the middle.
        range: (_: uPlot, low: number, high: number): [number, number] =>
          single === undefined ? [low, high] : [single - 1, single + 1],
      },
      y: { range: (_: uPlot, low: number, high: number) => amountRange(low, high) },
    },
    axes: [
      { ...axis, incrs: DAY_STEPS, values: (_: uPlot, ticks: number[]) => ticks.map(nameOf) },
      {
        ...axis,
        size: (_: uPlot, names: string[] | null) => widthOf(names ?? []),
        values: (_: uPlot, ticks: number[]) => ticks.map(showTick),
      },
    ],
    series: [
      {
        label: t.day,
        value: (_: uPlot, number: number | null) =>
          number === null ? '–' : calendarDay(dayOf(number)),
      },
      ...lines.flatMap((line, index) =>
        parted(line, unfinished).map((_, part) => ({
          label: line.label,
          stroke: color(`--series-${index + 1}`),
          width: 2,
          value: text,
          points: { show: true, size: 5, filter: alone },
          ...(part === 1 && { dash: [4, 4], class: 'unfinished' }),
        })),
      ),
    ],
    hooks: { drawAxes: [(chart: uPlot) => drawMarks(chart, marks)] },
  } satisfies uPlot.Options;
}

/** What is drawn, under its title and the names of its lines, as a picture file. */
function savePng(place: HTMLElement | null, title: string, lines: readonly Line[], name: string) {
  const drawn = place?.querySelector('canvas');
  const picture = document.createElement('canvas');
  const context = picture.getContext('2d');
  if (!drawn || !context) return;
  const unit = 16 * devicePixelRatio;
  picture.width = drawn.width;
  picture.height = drawn.height + 4 * unit;
  context.fillStyle = color('--paper');
  context.fillRect(0, 0, picture.width, picture.height);
  const write = (text: string, x: number, y: number, ink: string) => {
    context.fillStyle = color(ink);
    context.fillText(text, x, y);
    return x + context.measureText(text).width + unit;
  };
  context.font = `600 ${unit}px system-ui, sans-serif`;
  write(title, unit, 1.5 * unit, '--ink');
  context.font = `${(unit * 3) / 4}px system-ui, sans-serif`;
  lines.reduce((x, { label }, index) => write(label, x, 3 * unit, `--series-${index + 1}`), unit);
  context.drawImage(drawn, 0, 4 * unit);
  picture.toBlob((blob) => blob && download(`${name}.png`, blob));
}

/** Lines over days, with the same figures as a table behind them; a null is a gap. */
export function Series(props: {
  title: string;
  /** Calendar days, ascending. */
  days: readonly string[];
  lines: readonly Line[];
  show: (value: number) => string;
  /** The same on the axis at the side, where it can be shorter. */
  showTick?: (value: number) => string;
  csvName: string;
  /** Opens what is behind a day. */
  onPick?: (day: string) => void;
  unfinished?: boolean;
  marks?: readonly Mark[];
}) {
  const { days, lines, show, onPick, unfinished = false, marks = NO_MARKS } = props;
  const { showTick = show } = props;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const data: uPlot.AlignedData = [
      days.map(numberOf),
      ...lines.flatMap((line) => parted(line, unfinished)),
    ];
    const drawing = { days, lines, unfinished, marks, show, showTick };
    const chart = new uPlot(optionsOf(drawing, element.clientWidth), data, element);
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
  }, [days, lines, marks, unfinished, isDark.value]);
  const marksOf = (day: string) =>
    marks.flatMap((mark) => (mark.day === day ? [mark.label] : [])).join('; ');
  const rows = days.map((day, index) => ({ day, index }));
  return (
    <figure class="chart" aria-label={props.title}>
      <figcaption>{props.title}</figcaption>
      <div ref={place} aria-hidden="true" />
      <button
        type="button"
        class="link"
        aria-label={`${t.png}: ${props.title}`}
        onClick={() => savePng(place.current, props.title, lines, props.csvName)}
      >
        {t.png}
      </button>
      <details>
        <summary>{t.asTableOf(props.title)}</summary>
        <Table
          caption={props.title}
          rows={rows}
          keyOf={({ day }) => day}
          csvName={props.csvName}
          columns={[
            {
              label: t.day,
              show: ({ day }) =>
                onPick ? (
                  <button type="button" class="link" onClick={() => onPick(day)}>
                    {calendarDay(day)}
                  </button>
                ) : (
                  calendarDay(day)
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
            ...(marks.length === 0
              ? []
              : [
                  {
                    label: t.marks,
                    show: ({ day }: { day: string }) => marksOf(day),
                    plain: ({ day }: { day: string }) => marksOf(day),
                  },
                ]),
          ]}
        />
      </details>
    </figure>
  );
}
