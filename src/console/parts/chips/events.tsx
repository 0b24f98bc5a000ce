import { MAX_EVENTS } from '../../state/filter-rules.ts';
import type { Sent } from '../../state/sent.ts';
import { controls as t } from '../../texts/controls.ts';
import { AddChip, Chip } from './chip.tsx';
import { Opened } from './opened.tsx';

type Pick = (name: string) => void;

const eventsOf =
  (sent: Sent, taken: readonly string[], onPick: Pick, takesAny = false) =>
  (close: () => void) => (
    <Opened>
      {({ EventPicker }) => (
        <EventPicker
          sent={sent}
          taken={taken}
          takesAny={takesAny}
          onPick={(picked) => {
            close();
            onPick(picked);
          }}
        />
      )}
    </Opened>
  );

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
      onRemove={value ? () => onChange('') : undefined}
    >
      {eventsOf(sent, [value], onChange, true)}
    </Chip>
  );
}

export function EventChips(props: {
  sent: Sent;
  names: readonly string[];
  onChange: (names: readonly string[]) => void;
  max?: number;
  /** Why no second one can be added. */
  oneOnly?: string | undefined;
}) {
  const { sent, names, onChange, max = MAX_EVENTS, oneOnly } = props;
  const full = names.length >= max ? t.chips.eventsMax(max) : undefined;
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
          onRemove={() => onChange(names.toSpliced(at, 1))}
        >
          {eventsOf(sent, names, (picked) => onChange(names.with(at, picked)))}
        </Chip>
      ))}
      <AddChip text={t.chips.event} name={t.chips.addEvent} disabledWhy={full ?? oneOnly}>
        {eventsOf(sent, names, (picked) => onChange([...names, picked]))}
      </AddChip>
    </>
  );
}
