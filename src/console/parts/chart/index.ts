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
  WaterfallStep,
} from './types.ts';
export { scaleOf } from './scale.ts';
export { TimeChart } from './time-chart.tsx';
export { Columns } from './columns.tsx';
export { Fill } from './fill.tsx';
export { FunnelRows } from './funnel-rows.tsx';
export { Heat, Triangle } from './heat.tsx';
export { Difference, Interval, IntervalScale } from './interval.tsx';
export { LevelBars } from './level-bars.tsx';
export { Legend, Meter, Swatch, WhiskerSign } from './meter.tsx';
export { MarkIcon } from './mark-lane.tsx';
export { MinuteBars } from './minute-bars.tsx';
export { ShareArea } from './share-area.tsx';
export { Spark } from './spark.tsx';
export { StackedDays } from './stacked-days.tsx';
export { Waterfall } from './waterfall.tsx';
export { YearCalendar } from './year-calendar.tsx';
