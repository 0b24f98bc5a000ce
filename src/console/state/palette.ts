import { signal } from '@preact/signals';

export type PaletteStart = 'all' | 'people';

/** Another object each time it is opened. */
export const palette = signal<{ start: PaletteStart } | null>(null);

export function openPalette(start: PaletteStart = 'all'): void {
  palette.value = { start };
}

export function closePalette(): void {
  palette.value = null;
}
