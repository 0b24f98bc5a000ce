import { createHash } from 'node:crypto';
import type { Environment } from '../../shared/environment.ts';
import { EXPOSURE_EVENT } from '../../shared/exposure-event.ts';

export type Exposure = {
  experimentId: string;
  armId: string;
  anonymousId: string;
  /** The arm is shown by hand: the person counts in no report from then on. */
  overridden: boolean;
};

/**
 * One id for each person and arm, so that a repetition counts once. A device that ran a
 * development build before is exposed in production all the same.
 */
export function exposureId(
  { experimentId, armId, anonymousId, overridden }: Exposure,
  environment: Environment,
): string {
  const person = [experimentId, armId, anonymousId, ...(overridden ? ['overridden'] : [])];
  const text = JSON.stringify(environment === 'production' ? person : [...person, environment]);
  return createHash('sha256').update(text).digest('base64url');
}

/** The batch of one exposure for the event log. */
export function exposureBatch(
  id: string,
  { experimentId, armId, anonymousId, overridden }: Exposure,
): string {
  const props = { experiment: experimentId, arm: armId, ...(overridden && { overridden }) };
  return JSON.stringify({ events: [{ id, name: EXPOSURE_EVENT, anonymousId, props }] });
}
