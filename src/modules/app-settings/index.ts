export { findOrganizationOfApp, selectSettings } from './queries.ts';
export { setRetention } from './retention.ts';
export { RAISABLE_LIMITS, resolveTimezone, setLimit } from './settings.ts';
