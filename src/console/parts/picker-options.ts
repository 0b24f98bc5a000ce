import type { ComponentChildren } from 'preact';
import type { Icon } from './icons.ts';

export type PickerOption = {
  value: string;
  label: string;
  detail?: string;
  icon?: Icon;
  media?: ComponentChildren;
  /** Found by these words too. */
  keywords?: readonly string[];
  isChosen?: boolean;
  disabledWhy?: string | undefined;
};
export type PickerGroup = { label?: string; options: readonly PickerOption[] };

export type PickerProps = {
  /** Names the list. */
  label: string;
  placeholder?: string;
  groups: readonly PickerGroup[];
  onPick: (value: string) => void;
  takesOther?: boolean;
  isFetching?: boolean;
  head?: ComponentChildren;
};
