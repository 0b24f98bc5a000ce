export { RAISABLE_LIMITS, setLimit } from './limits.ts';
export { findOrganizationOfApp, selectSettings } from './queries.ts';
export { setRetention } from './retention.ts';
export { resolveTimezone } from './settings.ts';
