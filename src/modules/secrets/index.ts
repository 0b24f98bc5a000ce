export { rotateSecrets } from './rotate.ts';
