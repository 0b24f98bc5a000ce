import type { RequestError } from './api.ts';

/** Where a question is wrong, and why. */
export type Fault = { place: string; message: string };

const PLACE = /^((?:series|steps|selection|start|return|where|exclusions|rule)[\w.[\]]*): (.+)$/;

/** The place that a refusal names. */
export function faultOf(error: RequestError | undefined): Fault | undefined {
  const [, place, message] = PLACE.exec(error?.hint ?? '') ?? [];
  return place && message ? { place, message: message.replace(/\.$/, '') } : undefined;
}

/** Says the fault at the part of a question that it is in. */
export const faultAt =
  (fault: Fault | undefined) =>
  (place: string): string | undefined =>
    fault &&
    (fault.place === place || /^[.[]/.test(fault.place.slice(place.length))) &&
    fault.place.startsWith(place)
      ? fault.message
      : undefined;
