import { exactNumber } from '../../format.ts';
import { fieldLabel } from '../../state/condition-words.ts';
import type { Dimension } from '../../state/filter-rules.ts';
import { type SentData, useSentData } from '../../state/sent-data.ts';
import type { Sent } from '../../state/sent.ts';
import { asking } from '../../texts/asking.ts';
import { controls as t } from '../../texts/controls.ts';
import { PickerList } from '../picker-list.tsx';
import type { PickerOption } from '../picker-options.ts';
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
  takesOther?: boolean;
}) {
  const data = useSentData(props.sent);
  const any = { options: [{ value: '', label: asking.anything }] };
  const options = eventOptions(data, props.taken);
  return (
    <PickerList
      label={asking.events}
      groups={props.takesAny ? [any, { options }] : [{ options }]}
      onPick={props.onPick}
      isFetching={data.isFetching}
      {...(props.takesOther && { takesOther: true })}
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

export { ConditionPicker, PropertyPicker, PropertyValuePicker } from './condition-picker.tsx';
