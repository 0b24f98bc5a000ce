import type { Signal } from '@preact/signals';

export const into =
  <T>(signal: Signal<T>) =>
  (value: T): void => {
    signal.value = value;
  };

export const turn =
  <T>(signal: Signal<T>, value: T) =>
  (): void => {
    signal.value = value;
  };
