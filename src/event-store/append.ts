export { foldCountry } from './country.ts';
export { type AppScope, deleteAppEvents, eraseFromEvents, idsOfPerson } from './forget/queries.ts';
export { aliasesInLog } from './hot/aliases.ts';
export { IngestionHour, RejectedBatches } from './ingestion/model.ts';
export { selectIngestionHours, selectRejections } from './ingestion/queries.ts';
export { isBacklogOverdue, watchBacklog } from './intake/backlog.ts';
export { DailyCap } from './intake/daily-cap.ts';
export { createEventIntake } from './intake/intake.ts';
export { registerLogMetrics } from './intake/log-metrics.ts';
export { recordOrigin } from './intake/origin.ts';
export { claimPlace } from './ownership/claim.ts';
export { MARKER_KEY, readMarker, writeMarker } from './ownership/marker.ts';
export { ownedObjectStore } from './ownership/owned-queries.ts';
export {
  forgetPaths,
  livePaths,
  organizationIds,
  readInstallation,
  setIdentity,
} from './ownership/queries.ts';
export { anonymousIdsOf, subjectHash } from './people/queries.ts';
export { SEGMENTS } from './shipping/keys.ts';
export { SegmentShipper } from './shipping/shipper.ts';
export { isEventTime } from './time-rules.ts';
