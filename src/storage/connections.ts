import type { ProcessRole } from '../config.ts';

export const CONNECTIONS: Record<ProcessRole | 'admin', number> = {
  api: 20,
  worker: 10,
  compactor: 4,
  query: 4,
  admin: 2,
};
