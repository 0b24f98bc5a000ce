import { signal } from '@preact/signals';

export const segmentNames = signal<ReadonlyMap<string, string>>(new Map());

export const segmentName = (id: string): string => segmentNames.value.get(id) ?? id;
