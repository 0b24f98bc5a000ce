import { ARRIVAL_PATHS } from '../../shared/console-pages.ts';

export type Arrival = { path: (typeof ARRIVAL_PATHS)[number]; secret: string; email: string };

/** The secret of a mailed link leaves the address bar and the history at once. */
function arriveAt({ pathname, search, hash }: Location): Arrival | null {
  const path = ARRIVAL_PATHS.find((one) => one === pathname);
  if (!path) return null;
  const given = new URLSearchParams(search);
  for (const [name, value] of new URLSearchParams(hash.slice(1))) given.set(name, value);
  history.replaceState(null, '', path);
  const secret = given.get('id') ?? given.get('invitation') ?? given.get('token') ?? '';
  return { path, secret, email: given.get('email') ?? '' };
}

/** What a link of a mail brought along; null for every other address. */
export const arrival = arriveAt(location);

/** Into the console, which is loaded anew: it asks who is signed in now. */
export const enter = (): void => location.assign('/');
