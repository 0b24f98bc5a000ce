import { signal } from '@preact/signals';

/** Questions that are too long for an address, and the end of what this tab shows. */
const QUIET =
  /\/(questions\/(answer|people)|segments\/preview|read-invitation|sign-out|leave|v1\/(sql|organization|demo))$/;

const isChange = (method: string | undefined, path: string): boolean =>
  method !== 'GET' && !QUIET.test(path);

/** `/v1/apps/app_1/flags/flag_1/versions` to `/v1/apps/app_1/flags`. */
function partAt(path: string): string {
  const [, version, area = '', app, part] = path.split('/');
  return area === 'apps' && part ? `/${version}/apps/${app}/${part}` : `/${version}/${area}`;
}

/** The part of the service that this tab changed last. */
export const changed = signal<{ part: string } | null>(null);

let reading: Set<string> | undefined;
/** Adds to `parts` those that `fetch` asks before it waits for the first time. */
export function noting<T>(parts: Set<string>, fetch: () => Promise<T>): Promise<T> {
  reading = parts;
  try {
    return fetch();
  } finally {
    reading = undefined;
  }
}

type Send = (url: string, init: RequestInit) => Promise<Response>;
export const noticing =
  (fetch: Send): Send =>
  async (url, init) => {
    const { pathname } = new URL(url);
    const part = partAt(pathname);
    if (init.method === 'GET') reading?.add(part);
    const answer = await fetch(url, init);
    if (answer.ok && isChange(init.method, pathname)) changed.value = { part };
    return answer;
  };
