import type { Sent } from '../../state/sent.ts';
import { controls as t } from '../../texts/controls.ts';
import { Chip } from './chip.tsx';
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
