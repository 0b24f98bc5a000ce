import { useSignal } from '@preact/signals';
import { rank } from '../rank.ts';
import { into } from '../state/signals.ts';
import { controls } from '../texts/controls.ts';
import {
  Combobox,
  ComboboxGroup,
  ComboboxInput,
  ComboboxList,
  ComboboxOption,
} from './combobox.tsx';
import * as icons from './icons.ts';
import type { PickerGroup, PickerOption, PickerProps } from './picker-options.ts';

const t = controls.picker;

function Row({ option, onPick }: { option: PickerOption; onPick: (value: string) => void }) {
  const { value, label, icon: IconOf, isChosen, disabledWhy } = option;
  return (
    <ComboboxOption
      isDisabled={disabledWhy !== undefined}
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
    </ComboboxOption>
  );
}

const foundIn = (groups: readonly PickerGroup[], typed: string): PickerGroup[] =>
  groups
    .map((group) => ({
      ...group,
      options: rank(
        group.options.map((option) => ({
          option,
          text: option.label,
          keywords: [option.value, ...(option.keywords ?? [])],
        })),
        typed,
      ).map(({ option }) => option),
    }))
    .filter(({ options }) => options.length > 0);

export function PickerList(props: PickerProps) {
  const search = useSignal('');
  const typed = search.value.trim();
  const isKnown = props.groups.some(({ options }) => options.some(({ value }) => value === typed));
  const offersOther = props.takesOther && typed !== '' && !isKnown;
  const found = foundIn(props.groups, typed);
  const rowsOf = ({ options }: PickerGroup) =>
    options.map((option) => <Row key={option.value} option={option} onPick={props.onPick} />);
  return (
    <Combobox class="picker" label={props.label} search={typed}>
      {props.head}
      <ComboboxInput
        value={search.value}
        onValue={into(search)}
        placeholder={props.placeholder ?? t.search}
        takesFocus
      />
      <ComboboxList class="picker-list">
        {found.map((group) =>
          group.label === undefined ? (
            rowsOf(group)
          ) : (
            <ComboboxGroup key={group.label} heading={group.label}>
              {rowsOf(group)}
            </ComboboxGroup>
          ),
        )}
        {offersOther && (
          <ComboboxOption onSelect={() => props.onPick(typed)} class="picker-item">
            {t.use(typed)}
          </ComboboxOption>
        )}
      </ComboboxList>
      {found.length === 0 && !offersOther && (
        <p class="picker-none">{props.isFetching ? t.loading : t.none}</p>
      )}
    </Combobox>
  );
}
