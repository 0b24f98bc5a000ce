import type { ProcessRole } from '../config.ts';

const START: Partial<Record<ProcessRole | 'admin', () => Promise<unknown>>> = {
  api: () => import('../app/processes/api.ts'),
  worker: () => import('../app/processes/worker.ts'),
  admin: () => import('../admin/index.ts'),
};

/** One bundle: all load nearly the same modules. */
for (const [role, start] of Object.entries(START)) if (process.argv[3] === role) void start();
