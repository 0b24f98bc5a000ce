import { useEffect } from 'preact/hooks';
import type { App } from '../state/place.ts';

const link = (): HTMLLinkElement | null => document.querySelector('link[rel="icon"]');

/** The product's mark, as the page came with it. */
const mark = link()?.href;

/** The tab of an app carries its icon. */
export function useFavicon(app: App | undefined): void {
  const icon = app?.iconUrl ?? mark;
  useEffect(() => {
    const element = link();
    if (element && icon !== undefined) element.href = icon;
  }, [icon]);
}
