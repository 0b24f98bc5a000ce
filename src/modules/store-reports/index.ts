import type { Chapter } from '../../chapter.ts';
import { deleteReportsOfApp } from './requests-queries.ts';

export { collectStoreReports } from './collect.ts';
export { upsertRequest } from './requests-queries.ts';
export { recordFacts } from './store-instance.ts';

export const storeReportsChapter: Chapter = {
  name: 'store reports',
  tables: [
    'store_report_days',
    'store_report_errors',
    'store_report_facts',
    'store_report_instances',
    'store_report_requests',
  ],
  cleanup: {
    name: 'store reports',
    run: ({ deps }, app) => deleteReportsOfApp(deps.sql, app),
  },
};
