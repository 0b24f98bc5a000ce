import { Chip } from '../../parts/chips/chip.tsx';
import { picking } from '../../parts/chips/opened.tsx';
import * as icons from '../../parts/icons.ts';
import { Popover } from '../../parts/popover.tsx';
import { sentBy } from '../../state/sent.ts';
import { funnels } from '../../texts/funnels.ts';
import type { Draft } from './draft.ts';

const t = funnels.editor;
const DAYS = 28;

type StepProps = {
  appId: string;
  step: Draft;
  number: number;
  onChange: (change: Partial<Draft>) => void;
};

function EventField({ appId, step, number, onChange }: StepProps) {
  const name = t.eventOf(number);
  return (
    <Popover
      label={name}
      class="picker-panel"
      button={(trigger) => (
        <button
          {...trigger}
          class="plain edit-event"
          aria-label={`${name}: ${step.event || t.chooseEvent}`}
        >
          <span class={step.event ? 'cut' : 'cut quiet'}>{step.event || t.chooseEvent}</span>
          <icons.open aria-hidden class="small" />
        </button>
      )}
    >
      {picking(
        ({ EventPicker }, pick) => (
          <EventPicker sent={sentBy(appId, { days: DAYS })} taken={[]} takesOther onPick={pick} />
        ),
        // Another event has other properties.
        (event: string) => onChange({ event, ...(event !== step.event && { where: undefined }) }),
      )}
    </Popover>
  );
}

function WhereField({ appId, step, number, onChange }: StepProps) {
  const sent = sentBy(appId, { names: [step.event], days: DAYS });
  const list = picking(
    ({ PropertyValuePicker }, pick) => <PropertyValuePicker sent={sent} onPick={pick} />,
    (prop: string, equals: string) => onChange({ where: { prop, equals } }),
  );
  const name = t.whereOf(number);
  if (step.where) {
    return (
      <Chip
        name={name}
        word={step.where.prop}
        value={step.where.equals}
        onRemove={() => onChange({ where: undefined })}
      >
        {list}
      </Chip>
    );
  }
  return (
    <Popover
      label={name}
      class="picker-panel"
      button={{
        class: 'dashed',
        name: name,
        isOff: !step.event,
        icon: icons.filter,
        text: t.where,
      }}
    >
      {list}
    </Popover>
  );
}

export const EditStep = (props: StepProps) => (
  <div class="edit-fields">
    <EventField {...props} />
    <input
      type="text"
      autocomplete="off"
      maxLength={60}
      aria-label={t.labelOf(props.number)}
      placeholder={props.step.event || t.label}
      value={props.step.label}
      onInput={(event) => props.onChange({ label: event.currentTarget.value })}
    />
    <WhereField {...props} />
  </div>
);
