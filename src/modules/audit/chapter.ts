import type { Chapter } from '../../chapter.ts';
import { DEFAULT_KEPT_DAYS } from './model.ts';
import {
  deleteOldEntries,
  forgetPeople,
  forgetPeopleOfApp,
  nameNobody,
  selectEntriesOfPerson,
} from './queries.ts';

const BATCH = 1_000;

export const auditChapter: Chapter = {
  name: 'audit',
  tables: ['audit_entries', 'audit_settings'],
  cleanup: { name: 'audit', run: ({ deps }, app) => forgetPeopleOfApp(deps.sql, app) },
  erasure: [
    {
      name: 'entries of the audit',
      run: async (db, app, ids) => {
        await forgetPeople(db, app, ids);
        await nameNobody(db);
      },
      records: [{ kind: 'audit_entry', read: selectEntriesOfPerson }],
    },
  ],
  reconcile: async ({ sql, clock }) => {
    await deleteOldEntries(sql, { now: clock(), days: DEFAULT_KEPT_DAYS, limit: BATCH });
  },
};
