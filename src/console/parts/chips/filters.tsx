import { useSignal } from '@preact/signals';
import { exactNumber } from '../../format.ts';
import { type Dimension, type Filter, isProperty, withFilter } from '../../state/filters.ts';
import { dimensionLabel, type Sent, valueLabel } from '../../state/sent.ts';
import { controls as t } from '../../texts/controls.ts';
import { AddChip, Chip } from '../chip.tsx';
import * as icons from '../icons.ts';
import { Picker } from '../picker.tsx';
import { dimensionGroups } from './dimension-groups.ts';

function ValuePicker(props: {
  sent: Sent;
  dimension: Dimension;
  onPick: (value: string) => void;
  onBack?: () => void;
}) {
  const { sent, dimension, onBack } = props;
  const found = sent.dimensions.find((one) => one.dimension === dimension);
  const label = dimensionLabel(dimension);
  return (
    <Picker
      key={dimension}
      label={label}
      takesOther
      isFetching={sent.isFetching}
      onPick={props.onPick}
      head={
        <div class="picker-head">
          {onBack && (
            <button
              type="button"
              class="ghost icon-only"
              aria-label={t.picker.back}
              onClick={onBack}
            >
              <icons.back aria-hidden class="small" />
            </button>
          )}
          {label} {t.chips.is}
        </div>
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

function NewFilter(props: {
  sent: Sent;
  filters: readonly Filter[];
  onPick: (filter: Filter) => void;
}) {
  const { sent, filters } = props;
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
  const open = sent.dimensions.filter(
    (one) => !filters.some((filter) => filter.dimension === one.dimension),
  );
  const hasProperty = filters.some((filter) => isProperty(filter.dimension));
  return (
    <Picker
      key="dimensions"
      label={t.chips.addFilter}
      isFetching={sent.isFetching}
      groups={dimensionGroups(open, (one) =>
        hasProperty && isProperty(one) ? t.chips.oneProperty : undefined,
      )}
      onPick={(value) => {
        dimension.value = open.find((one) => one.dimension === value)?.dimension;
      }}
    />
  );
}

/** The filters of a page as chips, and one to add another. */
export function FilterChips(props: {
  sent: Sent;
  filters: readonly Filter[];
  onChange: (filters: readonly Filter[]) => void;
}) {
  const { sent, filters, onChange } = props;
  return (
    <>
      {filters.map((filter) => (
        <Chip
          key={filter.dimension}
          name={t.chips.filter}
          word={dimensionLabel(filter.dimension)}
          value={valueLabel(filter.dimension, filter.value)}
          onOpen={sent.load}
          onRemove={() => onChange(filters.filter((one) => one !== filter))}
        >
          {(close) => (
            <ValuePicker
              sent={sent}
              dimension={filter.dimension}
              onPick={(value) => {
                close();
                onChange(filters.map((one) => (one === filter ? { ...filter, value } : one)));
              }}
            />
          )}
        </Chip>
      ))}
      <AddChip
        text={t.chips.filter}
        name={t.chips.addFilter}
        icon={icons.filter}
        onOpen={sent.load}
      >
        {(close) => (
          <NewFilter
            sent={sent}
            filters={filters}
            onPick={(filter) => {
              close();
              onChange(withFilter(filters, filter));
            }}
          />
        )}
      </AddChip>
    </>
  );
}
