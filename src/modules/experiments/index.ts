export { createAssignments } from './assignments.ts';
export { onboardingExists } from './onboardings/queries.ts';
export { experimentExists, selectLatestStarted } from './queries.ts';
