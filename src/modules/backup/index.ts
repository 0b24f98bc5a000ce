export { backup } from './backup.ts';
export { downgrade } from './downgrade.ts';
export { parseFilesTo } from './files-to.ts';
export { describeGone } from './describe-gone.ts';
export { backupHealth, lastBackups } from './health.ts';
export { makeDueBackup } from './make-due.ts';
export { inMegabytes } from './progress.ts';
export { upgrade } from './upgrade.ts';
export { verifyBackup } from './verify.ts';
