export { findOrganizationOfApp, selectSettings } from './queries.ts';
export { setRetention } from './settings.ts';
export { RAISABLE_LIMITS, resolveTimezone, setLimit } from './settings.ts';
