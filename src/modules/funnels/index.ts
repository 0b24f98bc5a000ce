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
export { countFunnel, type PreparedFunnel, prepareFunnel, shownWindow } from './question.ts';
export { armBreakdown, funnelReport } from './report.ts';
export { INTERVALS, MAX_CONVERSION_HOURS } from './report-query.ts';
export { groupFigures, tallyFigures } from './rules/figures.ts';
export { FunnelReport, GroupFigures, OverallFigures, StepFigures } from './rules/report.model.ts';
