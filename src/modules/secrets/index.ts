export type { SealedColumn } from './queries.ts';
export { rotateSecrets } from './rotate.ts';
