import { signal } from '@preact/signals';
import { ARRIVAL_PATHS, inOrganization } from '../../shared/console-pages.ts';

export type Arrival = { path: (typeof ARRIVAL_PATHS)[number]; secret: string; email: string };

function arriveAt({ pathname, search, hash }: Location): Arrival | null {
  const path = ARRIVAL_PATHS.find((one) => one === pathname);
  if (!path) return null;
  const given = new URLSearchParams(search);
  for (const [name, value] of new URLSearchParams(hash.slice(1))) given.set(name, value);
  history.replaceState(null, '', path);
  const secret = given.get('id') ?? given.get('invitation') ?? given.get('token') ?? '';
  return { path, secret, email: given.get('email') ?? '' };
}

/** Null for every other address. */
export const arrival = arriveAt(location);

/** False with `CONSOLE=off`, where only arrivals are served. */
export const isWhole = document.documentElement.dataset.console !== 'arrivals';

/** What came of it, where there is no console to enter. */
export const arrived = signal('');

/** Loaded anew: it asks who is signed in. */
export function enter(said: string, organizationId?: string | null): void {
  if (isWhole) location.assign(organizationId ? inOrganization(organizationId, '/') : '/');
  else arrived.value = said;
}
