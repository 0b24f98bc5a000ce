import { exactNumber } from '../../format.ts';
import { MAX_EVENTS } from '../../state/filters.ts';
import type { Sent } from '../../state/sent.ts';
import { controls as t } from '../../texts/controls.ts';
import { AddChip, Chip } from '../chip.tsx';
import { Picker, type PickerOption } from '../picker.tsx';

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
          media={<span class={`swatch paint-${names.length > 1 ? at + 1 : 'ink'}`} />}
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
