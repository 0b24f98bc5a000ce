import { signal } from '@preact/signals';

/** While the tab is open: the service shows it once. */
export const newKey = signal<{ appId: string; secret: string } | null>(null);

export const secretOf = (appId: string): string | null =>
  newKey.value?.appId === appId ? newKey.value.secret : null;
