/** One chunk, loaded by use. */
export { Columns } from './columns.tsx';
export { LevelBars } from './level-bars.tsx';
export { MinuteBars } from './minute-bars.tsx';
export { ShareArea } from './share-area.tsx';
export { StackedDays } from './stacked-days.tsx';
export { TimeChart } from './time-chart.tsx';
export { Waterfall } from './waterfall.tsx';
export { YearCalendar } from './year-calendar.tsx';
