import type { ProcessRole } from '../../config.ts';

const START: Partial<Record<ProcessRole, () => Promise<unknown>>> = {
  api: () => import('./api.ts'),
  worker: () => import('./worker.ts'),
};

/** One bundle: both load nearly all modules. */
for (const [role, start] of Object.entries(START)) if (process.argv[3] === role) void start();
