export { type Rotation, rotateSecrets } from './rotate.ts';
export { secretsStand } from './rotate.ts';
