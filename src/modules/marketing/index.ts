export { removeMarketing } from './remove.ts';
