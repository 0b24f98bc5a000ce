import { signal } from '@preact/signals';

/** Questions that are too long for an address, and the end of what this tab shows. */
const QUIET =
  /\/(questions\/(answer|people)|person\/facts|segments\/preview|read-invitation|sign-out|leave|v1\/(sql|organization|demo))$/;

const isChange = (method: string | undefined, path: string): boolean =>
  method !== 'GET' && !QUIET.test(path);

export type Part = { part: string; item?: string };

const ITEM = /^[a-z]+_/;

/** `/v1/apps/app_1/flags/flag_1/versions` is of `flag_1` of `/v1/apps/app_1/flags`. */
function partAt(path: string): Part {
  const [, version, area = '', app = '', part, thing = ''] = path.split('/');
  const isOfApp = area === 'apps' && part;
  const item = isOfApp ? thing : area === 'apps' ? '' : app;
  return {
    part: isOfApp ? `/${version}/apps/${app}/${part}` : `/${version}/${area}`,
    ...(ITEM.test(item) && { item }),
  };
}

/** Neighbours of a changed thing stay as they are. */
export const isOutdatedBy = (change: Part, read: Part): boolean =>
  change.part === read.part && (!change.item || !read.item || change.item === read.item);

/** What this tab changed last. */
export const changed = signal<Part | null>(null);

let reading: Map<string, Part> | undefined;
/** Adds to `parts` those that `fetch` asks before it waits for the first time. */
export function noting<T>(parts: Map<string, Part>, fetch: () => Promise<T>): Promise<T> {
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
    if (init.method === 'GET') reading?.set(pathname, part);
    const answer = await fetch(url, init);
    if (answer.ok && isChange(init.method, pathname)) changed.value = part;
    return answer;
  };
