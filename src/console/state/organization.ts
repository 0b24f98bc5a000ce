import { signal } from '@preact/signals';
import { atAddress, inOrganization, pageAt } from '../../shared/console-pages.ts';

/** Of this tab: in its address and each of its requests. */
export const organization = signal(atAddress(location.pathname).organization);

/** Where an address without one led to another. */
export const switchedFrom = signal<string | null>(null);

export const isInNone = signal(false);

export function enterOrganization(id: string): void {
  organization.value = id;
  const { pathname, search, hash } = location;
  history.replaceState(null, '', `${inOrganization(id, pathname)}${search}${hash}`);
}

export const goToOrganization = (id: string): void => location.assign(inOrganization(id, '/'));

export function addressed(href: string): string {
  const id = organization.peek();
  const [path = ''] = href.split(/[?#]/);
  return id !== null && path.startsWith('/') && pageAt(path) ? inOrganization(id, href) : href;
}

export function fetchHere(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const id = organization.peek();
  if (id !== null) headers.set('x-organization', id);
  return fetch(url, { ...init, headers });
}
