export { createLogWrite } from './ingest.ts';
export { createLogBook } from './log-book.ts';
export { deleteLogsOfApp, deleteLogsOfPerson } from './partition-queries.ts';
export { reconcileLogs } from './reconcile.ts';
