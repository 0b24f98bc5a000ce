import type { Chapter } from '../../chapter.ts';
export { createDefaultFunnel, namedByStep, setFunnelWindow } from './funnels.ts';
export { type Funnel, FunnelSteps, FunnelWhere, MAX_CONVERSION_HOURS } from './model.ts';
export {
  deleteAppFunnels,
  findDefaultFunnel,
  findFunnel,
  funnelExists,
  windowHours,
} from './queries.ts';

export const funnelsChapter: Chapter = {
  name: 'funnels',

  tables: ['funnel_settings', 'funnels'],
};
