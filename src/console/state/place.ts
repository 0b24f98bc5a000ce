import { useLocation, useRoute } from 'preact-iso';
import {
  CONSOLE_PAGES,
  type ConsolePage,
  isOfApp,
  type PageName,
  pageAt,
} from '../../shared/console-pages.ts';
import { useApps } from './apps.ts';
import { carriedOf } from './range.ts';

export type App = NonNullable<ReturnType<typeof useApps>['value']['data']>[number];

type Address = { path: string; query: Record<string, string> };

/** A page of the organization names the app one came from. */
export const appIdAt = ({ path, query }: Address): string | undefined =>
  /^\/apps\/([^/]+)\//.exec(path)?.[1] ?? query.app;

export type Place = {
  page: ConsolePage | undefined;
  appId: string | undefined;
  app: App | undefined;
  apps: readonly App[] | undefined;
};

function usePlaceAt(address: Address): Place {
  const apps = useApps().value.data;
  const appId = appIdAt(address);
  return { page: pageAt(address.path), appId, app: apps?.find(({ id }) => id === appId), apps };
}

export const usePlace = (): Place => usePlaceAt(useLocation());

export const useDrawnPlace = (): Place => usePlaceAt(useRoute());

const PAGE_BY_NAME = new Map(CONSOLE_PAGES.map((page) => [page.name, page]));

export function hrefOf(
  name: PageName,
  appId: string | undefined,
  carried = '',
): string | undefined {
  const page = PAGE_BY_NAME.get(name);
  if (!page) return undefined;
  if (isOfApp(page)) return appId && `${page.path.replace(':id', appId)}${carried}`;
  if (!appId || page.group === 'top') return `${page.path}${carried}`;
  return `${page.path}${carried ? `${carried}&` : '?'}${new URLSearchParams({ app: appId })}`;
}

export function useLinks(): (name: PageName, appId?: string) => string | undefined {
  const address = useLocation();
  const { appId, apps } = usePlaceAt(address);
  const carried = carriedOf(address.query);
  return (name, of = appId) => hrefOf(name, of, carried) ?? hrefOf(name, apps?.[0]?.id, carried);
}
