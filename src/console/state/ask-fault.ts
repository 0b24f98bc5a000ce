import type { RequestError } from './api.ts';

export type Fault = { place: string; message: string };

const PLACE = /^((?:series|steps|selection|start|return|where|exclusions|rule)[\w.[\]]*): (.+)$/;

export function faultOf(error: RequestError | undefined): Fault | undefined {
  const [, place, message] = PLACE.exec(error?.hint ?? '') ?? [];
  return place && message ? { place, message: message.replace(/\.$/, '') } : undefined;
}

export const faultAt =
  (fault: Fault | undefined) =>
  (place: string): string | undefined =>
    fault &&
    (fault.place === place || /^[.[]/.test(fault.place.slice(place.length))) &&
    fault.place.startsWith(place)
      ? fault.message
      : undefined;
