import { TimeChart } from './chart/index.ts';

export type Line = { label: string; values: readonly (number | null)[] };
/** Something that happened on a day, such as the first sight of a version. */
export type Mark = { day: string; label: string };

/** Lines over days, for pages that do not speak to the chart themselves yet. */
export function Series(props: {
  title: string;
  /** Calendar days, ascending. */
  days: readonly string[];
  lines: readonly Line[];
  show: (value: number) => string;
  showTick?: (value: number) => string;
  csvName: string;
  /** Opens what is behind a day. */
  onPick?: (day: string) => void;
  unfinished?: boolean;
  marks?: readonly Mark[];
}) {
  const { title, days, lines, show, showTick, onPick, marks = [] } = props;
  return (
    <TimeChart
      title={title}
      days={days}
      height={220}
      series={lines.map(({ label, values }) => ({ key: label, name: label, values }))}
      format={{ show, ...(showTick && { tick: showTick }) }}
      isLastPartial={props.unfinished ?? false}
      marks={marks.map(({ day, label }, index) => ({
        key: `${day} ${label} ${index}`,
        kind: 'note',
        day,
        label,
        text: label,
      }))}
      csvName={props.csvName}
      {...(onPick && { onDay: onPick })}
    />
  );
}
