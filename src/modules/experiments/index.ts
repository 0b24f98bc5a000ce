export { armEnds, BUCKETS, bucketBy } from './assignment.ts';
export { createAssignments } from './assignments.ts';
export { experimentsChapter } from './chapter.ts';
export type { Exposure } from './exposure.ts';
export { isAnonymousId } from './model.ts';
export { onboardingExists } from './onboardings/onboardings.ts';
export { lockOnboardings } from './onboardings/queries.ts';
export {
  experimentExists,
  selectExperiment,
  selectExperiments,
  selectLatestStarted,
} from './queries.ts';
export { recordExposure } from './record-exposure.ts';
export { armAssigner, type ServedExperiment, selectServedExperiments } from './served.ts';
