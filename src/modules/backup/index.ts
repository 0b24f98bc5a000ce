export { backup } from './backup.ts';
export { downgrade } from './downgrade.ts';
export { makeDueBackup } from './make-due.ts';
export { inMegabytes } from './progress.ts';
export { restore } from './restore.ts';
export { backupsStand } from './stand.ts';
export { upgrade } from './upgrade.ts';
export { verifyBackup } from './verify.ts';
