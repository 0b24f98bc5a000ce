import { useSignal } from '@preact/signals';
import { exactNumber } from '../../format.ts';
import { type Dimension, type Filter, isProperty } from '../../state/filter-rules.ts';
import type { Sent } from '../../state/sent.ts';
import { type SentData, useSentData } from '../../state/sent-data.ts';
import { fieldLabel } from '../../state/condition-words.ts';
import { dimensionLabel } from '../../state/sent-values.ts';
import { controls as t } from '../../texts/controls.ts';
import { PickerList } from '../picker-list.tsx';
import type { PickerOption } from '../picker-options.ts';
import { BackHead } from './back-head.tsx';
import { dimensionGroups } from './dimension-groups.ts';

const eventOptions = (data: SentData, taken: readonly string[]): PickerOption[] =>
  data.names
    .filter(({ name }) => !taken.includes(name))
    .map(({ name, events }) => ({ value: name, label: name, detail: exactNumber(events) }));

export function EventPicker(props: {
  sent: Sent;
  taken: readonly string[];
  onPick: (name: string) => void;
  /** Offers any event too, as the empty name. */
  takesAny?: boolean;
  /** Takes a name that was typed and never sent. */
  takesOther?: boolean;
}) {
  const data = useSentData(props.sent);
  const any = { options: [{ value: '', label: t.chips.anyEvent }] };
  const options = eventOptions(data, props.taken);
  return (
    <PickerList
      label={t.chips.event}
      groups={props.takesAny ? [any, { options }] : [{ options }]}
      onPick={props.onPick}
      isFetching={data.isFetching}
      {...(props.takesOther && { takesOther: true })}
    />
  );
}

export function ValuePicker(props: {
  sent: Sent;
  dimension: Dimension;
  onPick: (value: string) => void;
  onBack?: () => void;
}) {
  const { sent, dimension, onBack } = props;
  const data = useSentData(sent);
  const found = data.dimensions.find((one) => one.dimension === dimension);
  const label = dimensionLabel(dimension);
  return (
    <PickerList
      key={dimension}
      label={label}
      takesOther
      isFetching={data.isFetching}
      onPick={props.onPick}
      head={
        <BackHead onBack={onBack}>
          {label} {t.chips.is}
        </BackHead>
      }
      groups={[
        {
          options: (found?.values ?? []).map(({ value, label: text, events, people }) => ({
            value,
            label: text,
            keywords: [value],
            detail: exactNumber(people ?? events ?? 0),
          })),
        },
      ]}
    />
  );
}

export function FilterPicker(props: {
  sent: Sent;
  filters: readonly Filter[];
  onPick: (filter: Filter) => void;
}) {
  const { sent, filters } = props;
  const data = useSentData(sent);
  const dimension = useSignal<Dimension | undefined>(undefined);
  const chosen = dimension.value;
  if (chosen) {
    return (
      <ValuePicker
        sent={sent}
        dimension={chosen}
        onBack={() => {
          dimension.value = undefined;
        }}
        onPick={(value) => props.onPick({ dimension: chosen, operator: 'is', value })}
      />
    );
  }
  const open = data.dimensions.filter(
    (one) => !filters.some((filter) => filter.dimension === one.dimension),
  );
  const hasProperty = filters.some((filter) => isProperty(filter.dimension));
  return (
    <PickerList
      key="dimensions"
      label={t.chips.addFilter}
      isFetching={data.isFetching}
      groups={dimensionGroups(open, (one) =>
        hasProperty && isProperty(one) ? t.chips.oneProperty : undefined,
      )}
      onPick={(value) => {
        dimension.value = open.find((one) => one.dimension === value)?.dimension;
      }}
    />
  );
}

export function BreakdownPicker<D extends string>(props: {
  sent: Sent;
  extra: readonly D[];
  onPick: (dimension: D | Dimension | undefined) => void;
}) {
  const data = useSentData(props.sent);
  const dimensions = [
    ...props.extra.map((dimension) => ({
      dimension,
      label: fieldLabel(dimension),
      values: [],
    })),
    ...data.dimensions,
  ];
  return (
    <PickerList
      label={t.chips.breakdownBy}
      isFetching={data.isFetching}
      groups={dimensionGroups<D | Dimension>(dimensions)}
      onPick={(picked) =>
        props.onPick(dimensions.find(({ dimension }) => dimension === picked)?.dimension)
      }
    />
  );
}

export { ConditionPicker, PropertyPicker } from './condition-picker.tsx';
