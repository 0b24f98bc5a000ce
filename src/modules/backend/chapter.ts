import type { Chapter } from '../../chapter.ts';
import { PASSWORD_PURPOSE } from './claim.ts';
import { detachBackend } from './queries.ts';
import { reconcileBackends } from './reconcile.ts';

export const backendChapter: Chapter = {
  name: 'backends',

  tables: ['backend_projects'],
  cleanup: { name: 'backend', run: ({ deps }, app) => detachBackend(deps.sql, app) },
  sealed: [
    { table: 'backend_projects', column: 'sealed_database_password', purpose: PASSWORD_PURPOSE },
  ],
  reconcile: reconcileBackends,
};
