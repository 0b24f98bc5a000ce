export { deleteLease, insertLease, renewLease } from './catalogue/sources-queries.ts';
export { advanceCatalogue } from './catalogue/queries.ts';
export { ERASED_AS, type ErasedId } from './event/person.ts';
export { catalogueHealth } from './hosts/last-commit.ts';
export {
  EVENT_OBJECTS,
  MARKER_KEY,
  PROJECTIONS,
  SALES_REPORTS,
  SEGMENT_COPIES,
} from './objects/names.ts';
export { claimPlace } from './ownership/claim.ts';
export { readMarker, writeMarker } from './ownership/marker.ts';
export { filesHealth } from './scrub/health.ts';
export { isUnreadable } from './sums/blocks.ts';
export { checkedObjectStore } from './sums/checked-store.ts';
export { noteDamage, selectDamagedPaths } from './sums/queries.ts';
export { copyCheck, sumsOf } from './sums/copy-checks.ts';
export { ownedObjectStore } from './ownership/owned-queries.ts';
export {
  deletePaths as forgetPaths,
  livePaths,
  organizationIds,
  readInstallation,
  setIdentity,
} from './ownership/queries.ts';
