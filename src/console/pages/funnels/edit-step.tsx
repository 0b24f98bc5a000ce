import { useSignal } from '@preact/signals';
import { exactNumber } from '../../format.ts';
import { Chip } from '../../parts/chips/chip.tsx';
import * as icons from '../../parts/icons.ts';
import { PickerList } from '../../parts/picker-list.tsx';
import { Popover } from '../../parts/popover.tsx';
import { type Dimension, isProperty, propertyOf } from '../../state/filter-rules.ts';
import { useSentData } from '../../state/sent-data.ts';
import { sentBy } from '../../state/sent.ts';
import { funnels } from '../../texts/funnels.ts';
import type { Draft } from './draft.ts';

const t = funnels.editor;
const DAYS = 28;

type PickProps<T> = { appId: string; onPick: (picked: T) => void };

function EventList({ appId, onPick }: PickProps<string>) {
  const sent = useSentData(sentBy(appId, { days: DAYS }));
  return (
    <PickerList
      label={t.event}
      takesOther
      isFetching={sent.isFetching}
      onPick={onPick}
      groups={[
        {
          options: sent.names.map(({ name, events }) => ({
            value: name,
            label: name,
            detail: exactNumber(events),
          })),
        },
      ]}
    />
  );
}

type Where = NonNullable<Draft['where']>;

function WhereList({ appId, event, onPick }: PickProps<Where> & { event: string }) {
  const sent = useSentData(sentBy(appId, { names: [event], days: DAYS }));
  const prop = useSignal<string | undefined>(undefined);
  const chosen = prop.value;
  const properties = sent.dimensions.filter(({ dimension }) => isProperty(dimension));
  const nameOf = (dimension: Dimension) =>
    isProperty(dimension) ? propertyOf(dimension) : dimension;
  if (chosen === undefined) {
    return (
      <PickerList
        key="properties"
        label={t.where}
        takesOther
        isFetching={sent.isFetching}
        {...(properties.length === 0 && !sent.isFetching && { placeholder: t.noProperties })}
        groups={[
          {
            options: properties.map(({ dimension, label, values }) => ({
              value: nameOf(dimension),
              label,
              detail: values
                .slice(0, 3)
                .map((one) => one.label)
                .join(', '),
            })),
          },
        ]}
        onPick={(picked) => {
          prop.value = picked;
        }}
      />
    );
  }
  const values = properties.find(({ dimension }) => nameOf(dimension) === chosen)?.values ?? [];
  return (
    <PickerList
      key={chosen}
      label={t.valueOf(chosen)}
      takesOther
      isFetching={sent.isFetching}
      head={<div class="picker-head">{t.valueOf(chosen)}</div>}
      groups={[
        {
          options: values.map(({ value, label, events }) => ({
            value,
            label,
            detail: exactNumber(events ?? 0),
          })),
        },
      ]}
      onPick={(equals) => onPick({ prop: chosen, equals })}
    />
  );
}

type StepProps = {
  appId: string;
  step: Draft;
  /** From 1. */
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
      {(close) => (
        <EventList
          appId={appId}
          onPick={(event) => {
            close();
            // Another event has other properties.
            onChange({ event, ...(event !== step.event && { where: undefined }) });
          }}
        />
      )}
    </Popover>
  );
}

function WhereField({ appId, step, number, onChange }: StepProps) {
  const list = (close: () => void) => (
    <WhereList
      appId={appId}
      event={step.event}
      onPick={(where) => {
        close();
        onChange({ where });
      }}
    />
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
      button={(trigger) => (
        <button {...trigger} class="dashed" aria-label={name} disabled={!step.event}>
          <icons.filter aria-hidden />
          {t.where}
        </button>
      )}
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
