/** `other`: the rest, beyond six. */
export type Slot = 1 | 2 | 3 | 4 | 5 | 6 | 'other';
/** Words beside a state name it too. */
export type Paint = Slot | 'good' | 'warn' | 'bad' | 'ink';

export type Figure = number | null;

export type Format = {
  show: (value: number) => string;
  /** The same on an axis, where it can be shorter. */
  tick?: (value: number) => string;
  /** No ticks between whole numbers. */
  isWhole?: boolean;
  /** Direction of a change for the better; absent means no judgement. */
  goodWhen?: 'up' | 'down';
};

/** The length of one place of the axis below. */
export type Unit = 'hour' | 'day' | 'week' | 'month';

export type ChartSeries = {
  key: string;
  name: string;
  values: readonly Figure[];
  slot?: Paint;
  note?: string;
  /** Interval of a rate, drawn as a band. */
  low?: readonly Figure[];
  high?: readonly Figure[];
  isQuiet?: boolean;
  /** `hatch`: not decided yet; `pale`: does not count. */
  fill?: 'solid' | 'hatch' | 'pale';
};

export type Comparison = {
  name: string;
  values: readonly Figure[];
  /** The day that each value really is of. */
  days: readonly string[];
};

export type ChartMark = {
  key: string;
  kind: 'version' | 'price' | 'experiment' | 'note' | 'release';
  day: string;
  label: string;
  text?: string;
  tone?: 'warn' | 'good';
  version?: string;
  experimentId?: string;
};

export type TooltipRow = { label: string; value: string; tone?: 'good' | 'bad' };

export type TimeChartProps = {
  title: string;
  unit?: Unit;
  /** Ascending, no gaps: `2026-11-07`, `2026-11-07T13:00`; of weeks and months the first day. */
  days: readonly string[];
  /** The periods after a start. */
  places?: { head: string; names: readonly string[] };
  series: readonly ChartSeries[];
  format: Format;
  /** `area` is stacked. */
  kind?: 'line' | 'bar' | 'area';
  height?: number;
  /** Of a single series. */
  previous?: Comparison;
  marks?: readonly ChartMark[];
  shades?: readonly { from: string; to: string; tone: 'warn' | 'good' }[];
  isLastPartial?: boolean;
  /** "235 so far" when left out. */
  partialText?: (shown: string) => string;
  /** Hatched, since not all there. */
  late?: readonly string[];
  /** No names at the ends of the lines, since the card has a legend. */
  hasLegend?: boolean;
  zone?: string;
  rowsOf?: (index: number) => readonly TooltipRow[];
  /** "Click: the 571 people"; null where nothing opens. */
  actionOf?: (index: number) => string | null;
  /** Nearest to the pointer. */
  onDay?: (day: string, seriesKey: string | undefined) => void;
  /** Both included. Adds an entry to the history, which Escape goes back from. */
  onRange?: (from: string, to: string) => void;
  onMark?: (mark: ChartMark) => void;
  csvName: string;
};

export type ChartHandle = {
  title: string;
  savePng: () => void;
  saveCsv: () => void;
  openTable: () => void;
};

export type SparkProps = {
  kind: 'line' | 'bars' | 'band';
  values: readonly Figure[];
  low?: readonly Figure[];
  high?: readonly Figure[];
  slot?: Slot;
  height?: number;
  width?: number;
  /** Under the line; only of a KPI when left out. */
  hasArea?: boolean;
};

export type FunnelGroup = {
  key: string;
  name: string;
  slot?: Slot;
  steps: readonly {
    people: number;
    rate: Figure;
    low: Figure;
    high: Figure;
  }[];
};
export type FunnelStep = {
  key: string;
  name: string;
  people: number;
  rate: Figure;
  /** Those of the step before who did not get here. */
  lost: number;
  medianSeconds: Figure;
  isBiggestLeak?: boolean;
};
export type ColumnsProps = {
  title: string;
  csvName?: string;
  steps: readonly FunnelStep[];
  groups: readonly FunnelGroup[];
  onReached?: (step: number, groupKey: string) => void;
  onLost?: (step: number, groupKey: string) => void;
};

export type FunnelRow = {
  key: string;
  name: string;
  people: Figure;
  share: number;
  rate: Figure;
  low?: Figure;
  high?: Figure;
  medianSeconds?: Figure;
  lost?: number;
  isBiggestLeak?: boolean;
};
export type FunnelRowsProps = {
  rows: readonly FunnelRow[];
  /** As on a narrow screen; else a line and a bar each. */
  isDetailed?: boolean;
  /** Counts from which nothing follows yet. */
  isOutline?: boolean;
  onReached?: (step: number) => void;
  onLost?: (step: number) => void;
};

export type WaterfallStep = {
  key: string;
  name: string;
  /** Signed; of the first and the last the whole. */
  amount: number;
  /** Below the name. */
  note?: string;
  isTotal?: boolean;
  slot?: Slot;
};
export type WaterfallProps = {
  title: string;
  csvName?: string;
  steps: readonly WaterfallStep[];
  format: Format;
};

export type Scale = { min: number; max: number };
export type IntervalProps = {
  scale: Scale;
  value: Figure;
  low: Figure;
  high: Figure;
  slot?: Slot;
  width?: number;
};
export type DifferenceProps = Omit<IntervalProps, 'slot'> & {
  /** Half the width of what is too small to matter. */
  margin: number;
};

export type HeatCellProps = {
  rate: Figure;
  low?: Figure;
  high?: Figure;
  /** In the place of a rate where there is none. */
  count?: { of: number; people: number };
};
export type TriangleProps = {
  caption: string;
  heads: { cohort: string; people: string };
  columns: readonly string[];
  rows: readonly {
    key: string;
    name: string;
    people: number;
    cells: readonly (HeatCellProps | null)[];
    isTotal?: boolean;
  }[];
  onCell?: (rowKey: string, column: number) => void;
  onRow?: (rowKey: string) => void;
  csvName?: string;
};

export type DayState = 'known' | 'late' | 'notDue' | 'missing' | 'notCollected' | 'gone';
export type YearCalendarProps = {
  title: string;
  days: readonly { day: string; state: DayState }[];
  nameOf: (state: DayState) => string;
};

export type MeterProps = {
  share: number;
  paint?: Paint;
  height?: 6 | 8 | 10;
  width?: number;
  label?: string;
};
