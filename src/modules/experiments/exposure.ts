import { createHash } from 'node:crypto';
import type { Environment } from '../../shared/environment.ts';
import { EXPOSURE_EVENT } from '../../shared/exposure-event.ts';

export type Exposure = {
  experimentId: string;
  armId: string;
  anonymousId: string;
  /** Arm by override: excludes the person from later reports. */
  overridden: boolean;
};

/** In development it must not hide one in production. */
export function exposureId(
  { experimentId, armId, anonymousId, overridden }: Exposure,
  environment: Environment,
): string {
  const person = [experimentId, armId, anonymousId, ...(overridden ? ['overridden'] : [])];
  const text = JSON.stringify(environment === 'production' ? person : [...person, environment]);
  return createHash('sha256').update(text).digest('base64url');
}

export function exposureBatch(
  id: string,
  { experimentId, armId, anonymousId, overridden }: Exposure,
): string {
  const props = { experiment: experimentId, arm: armId, ...(overridden && { overridden }) };
  return JSON.stringify({ events: [{ id, name: EXPOSURE_EVENT, anonymousId, props }] });
}
