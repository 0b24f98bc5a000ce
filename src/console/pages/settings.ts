/** Opened seldom and one after the other: as a chunk each they are larger together. */
export { AppSettings } from './app-settings/app-settings.tsx';
export { Audit } from './audit/audit.tsx';
export { Keys } from './keys/keys.tsx';
export { Logs } from './logs/logs.tsx';
export { Members } from './members/members.tsx';
export { Organization } from './organization/organization.tsx';
export { Status } from './status/status.tsx';
