export { backup } from './backup.ts';
export { inMegabytes } from './progress.ts';
export { restore } from './restore.ts';
export { verifyBackup } from './verify.ts';
