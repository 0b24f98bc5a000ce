import type { ComponentChildren } from 'preact';
import type { Icon } from './icons.ts';

export type PickerOption = {
  value: string;
  label: string;
  detail?: string;
  icon?: Icon;
  media?: ComponentChildren;
  keywords?: readonly string[];
  isChosen?: boolean;
  disabledWhy?: string | undefined;
};
export type PickerGroup = { label?: string; options: readonly PickerOption[] };

export type PickerProps = {
  label: string;
  placeholder?: string;
  groups: readonly PickerGroup[];
  onPick: (value: string) => void;
  takesOther?: boolean;
  isFetching?: boolean;
  head?: ComponentChildren;
};
