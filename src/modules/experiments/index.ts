export { createAssignments } from './assignments.ts';
export { experimentsChapter } from './chapter.ts';
export { onboardingExists } from './onboardings/queries.ts';
export { experimentExists, selectLatestStarted } from './queries.ts';
