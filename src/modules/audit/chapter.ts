import type { Chapter } from '../../chapter.ts';
import { DAY_MS } from '../../shared/time.ts';
import {
  deleteEntriesBefore,
  forgetPeople,
  forgetPeopleOfApp,
  nameNobody,
  selectEntriesOfPerson,
} from './queries.ts';

const KEPT_MS = 400 * DAY_MS;
const BATCH = 1_000;

export const auditChapter: Chapter = {
  name: 'audit',
  tables: ['audit_entries'],
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
  reconcile: ({ sql, clock }) =>
    deleteEntriesBefore(sql, new Date(clock().getTime() - KEPT_MS), BATCH),
};
