import { signal } from '@preact/signals';

const NARROW = '(max-width: 719px)';

const screen = globalThis.matchMedia?.(NARROW);
export const isNarrow = signal(screen?.matches ?? false);
screen?.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches;
});
