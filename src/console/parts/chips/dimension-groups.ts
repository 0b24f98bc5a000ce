import { type Dimension, isProperty } from '../../state/filter-rules.ts';
import type { SentDimension } from '../../state/sent-values.ts';
import { controls as t } from '../../texts/controls.ts';
import type { PickerGroup, PickerOption } from '../picker-options.ts';

export function dimensionGroups(
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
