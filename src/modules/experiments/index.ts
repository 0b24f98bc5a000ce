export { armEnds, BUCKETS, bucketOf } from './assignment.ts';
export { createAssignments } from './assignments.ts';
export { experimentsChapter } from './chapter.ts';
export { onboardingExists } from './onboardings/onboardings.ts';
export { experimentExists, selectExperiments, selectLatestStarted } from './queries.ts';
