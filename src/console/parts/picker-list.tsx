import { useSignal } from '@preact/signals';
import {
  CommandEmpty,
  CommandGroup,
  CommandInput,
  CommandItem,
  CommandList,
  CommandRoot,
} from 'cmdk';
import { useEffect, useRef } from 'preact/hooks';
import { controls } from '../texts/controls.ts';
import * as icons from './icons.ts';
import type { PickerOption, PickerProps } from './picker-options.ts';

const t = controls.picker;

function Row({ option, onPick }: { option: PickerOption; onPick: (value: string) => void }) {
  const { value, label, icon: IconOf, keywords = [], isChosen, disabledWhy } = option;
  return (
    <CommandItem
      value={value}
      keywords={[label, ...keywords]}
      disabled={disabledWhy !== undefined}
      onSelect={() => onPick(value)}
      class="picker-item"
    >
      {IconOf && <IconOf aria-hidden />}
      {option.media}
      <span class="picker-label">{label}</span>
      {(disabledWhy ?? option.detail) && (
        <span class="picker-detail">{disabledWhy ?? option.detail}</span>
      )}
      {isChosen && <icons.check aria-hidden />}
    </CommandItem>
  );
}

export function PickerList(props: PickerProps) {
  const search = useSignal('');
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => root.current?.querySelector('input')?.focus({ preventScroll: true }), []);
  const typed = search.value.trim();
  const isKnown = props.groups.some(({ options }) => options.some(({ value }) => value === typed));
  return (
    <CommandRoot ref={root} class="picker" label={props.label} loop>
      {props.head}
      <CommandInput
        value={search.value}
        onValueChange={(text) => {
          search.value = text;
        }}
        placeholder={props.placeholder ?? t.search}
      />
      <CommandList class="picker-list" label={props.label}>
        {props.groups.map(({ label, options }, index) => (
          <CommandGroup key={label ?? index} heading={label}>
            {options.map((option) => (
              <Row key={option.value} option={option} onPick={props.onPick} />
            ))}
          </CommandGroup>
        ))}
        {props.takesOther && typed !== '' && !isKnown && (
          <CommandItem
            value={`use ${typed}`}
            keywords={[typed]}
            onSelect={() => props.onPick(typed)}
            class="picker-item"
          >
            {t.use(typed)}
          </CommandItem>
        )}
        <CommandEmpty class="picker-none">{props.isFetching ? t.loading : t.none}</CommandEmpty>
      </CommandList>
    </CommandRoot>
  );
}
