export { funnelsChapter } from './chapter.ts';
export { firstBeginning, forecastedReport, forecastFor } from './forecast.ts';
export { createDefaultFunnel, setFunnelWindow } from './funnels.ts';
export { type Funnel, FunnelSteps, FunnelWhere } from './model.ts';
export {
  deleteAppFunnels,
  findDefaultFunnel,
  funnelExists,
  windowHours,
} from './queries.ts';
export { funnelReport } from './report.ts';
export { MAX_CONVERSION_HOURS } from './report-query.ts';
export { groupFigures, NO_RATE, rateWithInterval } from './rules/figures.ts';
export { Forecast, forecast } from './rules/forecast.ts';
export { FunnelReport, GroupFigures } from './rules/report.model.ts';
export { judge, MINIMUM_PEOPLE, VERDICTS } from './rules/verdict.ts';
