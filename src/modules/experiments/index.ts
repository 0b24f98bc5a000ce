import type { Chapter } from '../../chapter.ts';
import { OVERRIDES_OF_PERSON } from './overrides-queries.ts';

export { armEnds, BUCKETS, bucketBy } from './assignment.ts';
export { createAssignments } from './assignments.ts';
export { type Exposure, recordExposure } from './exposure.ts';
export { isAnonymousId } from './model.ts';
export { onboardingExists } from './onboardings/onboardings.ts';
export { lockOnboardings } from './onboardings/queries.ts';
export {
  experimentExists,
  selectExperiment,
  selectExperiments,
  selectLatestStarted,
} from './queries.ts';
export { armAssigner, type ServedExperiment, selectServedExperiments } from './assignments.ts';

export const experimentsChapter: Chapter = {
  name: 'experiments',
  tables: ['experiment_overrides', 'experiments', 'flag_experiments', 'onboardings'],
  people: [OVERRIDES_OF_PERSON],
};
