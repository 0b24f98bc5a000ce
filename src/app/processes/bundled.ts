const START: Readonly<Record<string, () => Promise<unknown>>> = {
  api: () => import('./api.ts'),
  compactor: () => import('./compactor.ts'),
  query: () => import('./query.ts'),
  worker: () => import('./worker.ts'),
};

const role = process.argv[3] ?? '';
const start = START[role];
if (start === undefined) throw new Error(`"${role}" is not a role.`);
void start();
