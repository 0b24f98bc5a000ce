import { signal } from '@preact/signals';

/** The publishable key that was made last, as long as the tab is open: the service shows it this once. */
export const newKey = signal<{ appId: string; secret: string } | null>(null);

/** The secret of an app's newest key, if it was made here. */
export const secretOf = (appId: string): string | null =>
  newKey.value?.appId === appId ? newKey.value.secret : null;
