export { createDealer } from './dealer.ts';
export { onboardingExists } from './onboardings/queries.ts';
export { experimentExists, selectLatestStarted } from './queries.ts';
