import { useSignal } from '@preact/signals';
import { exactNumber } from '../format.ts';
import {
  type Dimension,
  type Filter,
  isProperty,
  MAX_EVENTS,
  withFilter,
} from '../state/filters.ts';
import { dimensionLabel, type Sent, type SentDimension, valueLabel } from '../state/sent.ts';
import { controls as t } from '../texts/controls.ts';
import { AddChip, Chip } from './chip.tsx';
import * as icons from './icons.ts';
import { Picker, type PickerGroup, type PickerOption } from './picker.tsx';

export { type ChipOption, ChoiceChip } from './chip.tsx';

const eventOptions = (sent: Sent, taken: readonly string[]): PickerOption[] =>
  sent.names
    .filter(({ name }) => !taken.includes(name))
    .map(({ name, events }) => ({ value: name, label: name, detail: exactNumber(events) }));

function EventPicker(props: {
  sent: Sent;
  taken: readonly string[];
  onPick: (name: string) => void;
  /** Offers any event too, as the empty name. */
  takesAny?: boolean;
}) {
  const any = { options: [{ value: '', label: t.chips.anyEvent }] };
  const options = eventOptions(props.sent, props.taken);
  return (
    <Picker
      label={t.chips.event}
      groups={props.takesAny ? [any, { options }] : [{ options }]}
      onPick={props.onPick}
      isFetching={props.sent.isFetching}
    />
  );
}

/** One event, or any: "returns with purchase_completed". */
export function EventChip(props: {
  name: string;
  word?: string;
  sent: Sent;
  /** Empty for any event. */
  value: string;
  onChange: (name: string) => void;
}) {
  const { name, word, sent, value, onChange } = props;
  return (
    <Chip
      name={name}
      {...(word && { word })}
      value={value || t.chips.anyEvent}
      onOpen={sent.load}
      onRemove={value ? () => onChange('') : undefined}
    >
      {(close) => (
        <EventPicker
          sent={sent}
          taken={[value]}
          takesAny
          onPick={(picked) => {
            close();
            onChange(picked);
          }}
        />
      )}
    </Chip>
  );
}

/** The events of a series: each a chip with its colour, and one to add another. */
export function EventChips(props: {
  sent: Sent;
  names: readonly string[];
  onChange: (names: readonly string[]) => void;
  /** As many as the route takes. */
  max?: number;
  /** Why no second one can be added. */
  oneOnly?: string | undefined;
}) {
  const { sent, names, onChange, max = MAX_EVENTS, oneOnly } = props;
  const full = names.length >= max ? t.chips.eventsMax(max) : undefined;
  const change = (at: number, name: string) => onChange(names.with(at, name));
  if (names.length === 0) {
    return (
      <EventChip
        name={t.chips.event}
        sent={sent}
        value=""
        onChange={(name) => onChange(name ? [name] : [])}
      />
    );
  }
  return (
    <>
      {names.map((name, at) => (
        <Chip
          key={name}
          name={t.chips.event}
          value={name}
          media={<span class={names.length > 1 ? `swatch series-${at + 1}` : 'swatch'} />}
          onOpen={sent.load}
          onRemove={() => onChange(names.toSpliced(at, 1))}
        >
          {(close) => (
            <EventPicker
              sent={sent}
              taken={names}
              onPick={(picked) => {
                close();
                change(at, picked);
              }}
            />
          )}
        </Chip>
      ))}
      <AddChip
        text={t.chips.event}
        name={t.chips.addEvent}
        onOpen={sent.load}
        disabledWhy={full ?? oneOnly}
      >
        {(close) => (
          <EventPicker
            sent={sent}
            taken={names}
            onPick={(picked) => {
              close();
              onChange([...names, picked]);
            }}
          />
        )}
      </AddChip>
    </>
  );
}

/** Dimensions as two groups: fields of every event, and properties. */
function dimensionGroups(
  dimensions: readonly SentDimension[],
  whyNot: (dimension: Dimension) => string | undefined = () => undefined,
): PickerGroup[] {
  const option = ({ dimension, label, values }: SentDimension): PickerOption => ({
    value: dimension,
    label,
    disabledWhy: whyNot(dimension),
    detail: values
      .slice(0, 3)
      .map((one) => one.label)
      .join(', '),
  });
  const [properties = [], fields = []] = [true, false].map((wanted) =>
    dimensions.filter(({ dimension }) => isProperty(dimension) === wanted).map(option),
  );
  return [
    { label: t.chips.fields, options: fields },
    ...(properties.length > 0 ? [{ label: t.chips.properties, options: properties }] : []),
  ];
}

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

/** What figures are broken down by, as a chip; without one the button that chooses it. */
export function BreakdownChip(props: {
  sent: Sent;
  value: Dimension | undefined;
  onChange: (dimension: Dimension | undefined) => void;
  /** Beside what was sent, such as the arm of an experiment. */
  extra?: readonly Dimension[];
  disabledWhy?: string | undefined;
}) {
  const { sent, value, onChange, extra = [] } = props;
  const dimensions = [
    ...extra.map((dimension) => ({ dimension, label: dimensionLabel(dimension), values: [] })),
    ...sent.dimensions,
  ];
  const contents = (close: () => void) => (
    <Picker
      label={t.chips.breakdownBy}
      isFetching={sent.isFetching}
      groups={dimensionGroups(dimensions)}
      onPick={(picked) => {
        close();
        onChange(dimensions.find(({ dimension }) => dimension === picked)?.dimension);
      }}
    />
  );
  if (!value) {
    return (
      <AddChip
        text={t.chips.breakdown}
        name={t.chips.breakdownBy}
        onOpen={sent.load}
        disabledWhy={props.disabledWhy}
      >
        {contents}
      </AddChip>
    );
  }
  return (
    <Chip
      name={t.chips.breakdownBy}
      word={t.chips.by}
      value={dimensionLabel(value)}
      onOpen={sent.load}
      onRemove={() => onChange(undefined)}
    >
      {contents}
    </Chip>
  );
}
