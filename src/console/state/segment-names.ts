import { signal } from '@preact/signals';

/** By id, of the app that was looked at last. */
export const segmentNames = signal<ReadonlyMap<string, string>>(new Map());

export const segmentName = (id: string): string => segmentNames.value.get(id) ?? id;
