import type { Chapter } from '../../chapter.ts';
import { DEFAULT_KEPT_DAYS } from './model.ts';
import { deleteOldEntries, ENTRIES_OF_PERSON, forgetPeopleOfApp } from './queries.ts';

export { announceEntry } from './announce.ts';

const BATCH = 1_000;

export const auditChapter: Chapter = {
  name: 'audit',
  tables: ['audit_entries', 'audit_settings'],
  cleanup: { name: 'audit', run: ({ deps }, app) => forgetPeopleOfApp(deps.sql, app) },
  people: [ENTRIES_OF_PERSON],
  reconcile: async ({ sql, clock }) => {
    await deleteOldEntries(sql, { now: clock(), days: DEFAULT_KEPT_DAYS, limit: BATCH });
  },
};
