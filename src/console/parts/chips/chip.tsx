import type { ComponentChildren } from 'preact';
import { controls as t } from '../../texts/controls.ts';
import * as icons from '../icons.ts';
import { Menu } from '../menu.tsx';
import { Popover, type Trigger } from '../popover.tsx';
import { loadPickers } from './opened.tsx';

type Face = {
  word?: string;
  value: string;
};

export function ChipButton(props: Face & { trigger: Trigger; name: string }) {
  const { trigger, word, value } = props;
  return (
    <button {...trigger} class="chip-value">
      <span class="skip">{props.name}: </span>
      {word && <span class="chip-word">{word}</span>}
      <span class="chip-text">{value}</span>
      <icons.open aria-hidden class="small" />
    </button>
  );
}

export function Chip(
  props: Face & {
    name: string;
    children: (close: () => void) => ComponentChildren;
    onRemove?: (() => void) | undefined;
  },
) {
  const { name, onRemove, children, ...face } = props;
  return (
    <span class={onRemove ? 'filter removable' : 'filter'}>
      <Popover
        label={name}
        class="picker-panel"
        preload={loadPickers}
        button={(trigger) => <ChipButton {...face} trigger={trigger} name={name} />}
      >
        {children}
      </Popover>
      {onRemove && (
        <button
          type="button"
          class="chip-remove"
          aria-label={t.clear(`${name} ${face.value}`)}
          onClick={onRemove}
        >
          <icons.close aria-hidden class="small" />
        </button>
      )}
    </span>
  );
}

export function AddChip(props: {
  text: string;
  name: string;
  icon?: icons.Icon;
  children: (close: () => void) => ComponentChildren;
  disabledWhy?: string | undefined;
}) {
  const { text, name, icon = icons.add, disabledWhy } = props;
  return (
    <Popover
      label={name}
      class="picker-panel"
      preload={loadPickers}
      button={{ class: 'dashed', text, name, icon, disabledWhy }}
    >
      {props.children}
    </Popover>
  );
}

export type ChipOption<T extends string> = {
  value: T;
  label: string;
  detail?: string;
};

export function ChoiceChip<T extends string>(props: {
  name: string;
  word?: string;
  options: readonly ChipOption<T>[];
  value: T;
  onChange: (value: T) => void;
}) {
  const { name, word, options, value, onChange } = props;
  const chosen = options.find((option) => option.value === value);
  return (
    <span class="filter">
      <Menu
        label={name}
        button={(trigger) => (
          <ChipButton
            trigger={trigger}
            name={name}
            value={chosen?.label ?? value}
            {...(word && { word })}
          />
        )}
        items={options.map((option) => ({
          key: option.value,
          label: option.label,
          ...(option.detail && { detail: option.detail }),
          isChosen: option.value === value,
          onSelect: () => onChange(option.value),
        }))}
      />
    </span>
  );
}
