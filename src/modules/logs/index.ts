export { createLogBook } from './log-book.ts';
export { deleteLogsOfApp, deleteLogsOfPerson } from './partition-queries.ts';
export { reconcileLogs } from './reconcile.ts';
export { createLogWrite } from './write.ts';
