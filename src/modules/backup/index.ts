export { backup } from './backup.ts';
export { downgrade } from './downgrade.ts';
export { parseFilesTo } from './files-to.ts';
export { backupHealth, lastBackups } from './health.ts';
export { makeDueBackup } from './make-due.ts';
export { inMegabytes } from './progress.ts';
export { restore } from './restore.ts';
export { upgrade } from './upgrade.ts';
export { verifyBackup } from './verify.ts';
