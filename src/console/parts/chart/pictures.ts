/** One chunk, loaded by use. */
export { Columns } from './columns.tsx';
export { TimeChart } from './time-chart.tsx';
export { Waterfall } from './waterfall.tsx';
export { YearCalendar } from './year-calendar.tsx';
