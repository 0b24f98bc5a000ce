import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { PickerList } from './picker-list.tsx';
import { Popover } from './popover.tsx';

const named = (zone: string): string => zone.replaceAll('_', ' ');

function offsetOf(zone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    timeZoneName: 'shortOffset',
  }).formatToParts();
  return (parts.find(({ type }) => type === 'timeZoneName')?.value ?? '').replace('GMT', 'UTC');
}

const optionsFor = (chosen: string) =>
  ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')].map((zone) => ({
    value: zone,
    label: named(zone),
    detail: offsetOf(zone),
    isChosen: zone === chosen,
  }));

export function ZoneField(props: { label: string; name: string; value: string }) {
  const { label, name } = props;
  const id = useId();
  const zone = useSignal(props.value);
  return (
    <div class="field">
      <span class="field-label" id={id}>
        {label}
      </span>
      <input type="hidden" name={name} value={zone.value} />
      <Popover
        label={label}
        class="picker-panel"
        button={{
          class: 'plain zone',
          name: `${label}: ${named(zone.value)}`,
          text: named(zone.value),
          opens: true,
        }}
      >
        {(close) => (
          <PickerList
            label={label}
            groups={[{ options: optionsFor(zone.value) }]}
            onPick={(picked) => {
              zone.value = picked;
              close();
            }}
          />
        )}
      </Popover>
    </div>
  );
}
