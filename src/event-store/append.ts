export { deleteLease, insertLease, renewLease } from './catalogue/sources-queries.ts';
export { foldCountry } from './event/columns.ts';
export { type AppAlias, subjectHash } from './event/person.ts';
export { isEventTime } from './event/time-rules.ts';
export { removeCompactedForever } from './hosts/own-log.ts';
export { aliasesInLog } from './hot/hot-events.ts';
export { isBacklogOverdue, watchBacklog } from './intake/backlog.ts';
export { DailyCap } from './intake/daily-cap.ts';
export { createEventIntake, recordOrigin } from './intake/intake.ts';
export { registerLogMetrics } from './intake/log-metrics.ts';
export { IngestionHour, RejectedBatches } from './intake/model.ts';
export { selectIngestionHours, selectRejections } from './intake/queries.ts';
export { SegmentShipper } from './log/shipper.ts';
export {
  EVENT_OBJECTS,
  MARKER_KEY,
  PROJECTIONS,
  SALES_REPORTS,
  SEGMENT_COPIES,
} from './names.ts';
export { claimPlace } from './ownership/claim.ts';
export { readMarker, writeMarker } from './ownership/marker.ts';
export { ownedObjectStore } from './ownership/owned-queries.ts';
export {
  forgetPaths,
  livePaths,
  organizationIds,
  readInstallation,
  setIdentity,
} from './ownership/queries.ts';
export {
  deleteAppEvents,
  eraseFromEvents,
  findIdentity,
  finishRepeated,
  idsOfPerson,
  repeatableErasures,
} from './people/erasure-queries.ts';
