export type {
  ChartMark,
  ChartSeries,
  DayState,
  Figure,
  Format,
  FunnelGroup,
  Scale,
  Slot,
  TooltipRow,
  Unit,
  WaterfallStep,
} from './types.ts';
export { scaleOf } from './scale.ts';
export { Fill } from './fill.tsx';
export { FunnelRows } from './funnel-rows.tsx';
export { Heat, Triangle } from './heat.tsx';
export { Difference, Interval, IntervalScale } from './interval.tsx';
export { Legend, Meter, Swatch, WhiskerSign } from './meter.tsx';
export { MarkIcon } from './mark-lane.tsx';
export { iconOf } from './marks-of.ts';
export { Spark } from './spark.tsx';
export { Columns, TimeChart, Waterfall, YearCalendar } from './by-use.tsx';
export { namedPlaces } from './days.ts';
export { sharesOf } from './paths.ts';
