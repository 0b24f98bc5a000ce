export { findOrganizationOfApp } from './queries.ts';
export { RAISABLE_LIMITS, setLimit } from './set-limit.ts';
