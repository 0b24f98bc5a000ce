import type { Chapter } from '../../chapter.ts';
import { reconcileBackends } from './assign.ts';
import { PASSWORD_PURPOSE } from './claim.ts';
import { detachBackend } from './queries.ts';

export { assignBackend } from './assign.ts';
export { claimBackend } from './claim.ts';
export {
  attachBackend,
  checkBackend,
  createBackend,
  readBackend,
  releaseBackend,
  searchBackend,
} from './provision.ts';

export const backendChapter: Chapter = {
  name: 'backends',

  tables: ['backend_projects'],
  cleanup: { name: 'backend', run: ({ deps }, app) => detachBackend(deps.sql, app) },
  sealed: [
    { table: 'backend_projects', column: 'sealed_database_password', purpose: PASSWORD_PURPOSE },
  ],
  reconcile: reconcileBackends,
};
