export { compactNow } from './compact-now.ts';
export { compactForever } from './compaction/loop.ts';
export type { EventRow } from './event/columns.ts';
export { checkOwners } from './maintenance/check-owners.ts';
export { eventMaintenance, reconcileEvents } from './maintenance/maintain.ts';
export { type OnStored, openCompactor } from './parquet/compactor.ts';
export { erasedInFiles } from './rebuild/people.ts';
export {
  eraseAgain,
  isCatalogueEmpty,
  unknownApps,
  unknownOrganizations,
} from './rebuild/queries.ts';
export { type Rebuilt, rebuildCatalogue } from './rebuild/rebuild-catalogue.ts';
export { type Repair, repairDamaged } from './scrub/repair.ts';
export { scrubRound, skipNone } from './scrub/scrub.ts';
export type { UndoneImport } from './undo/summarize.ts';
export { undoImport } from './undo/undo-import.ts';
