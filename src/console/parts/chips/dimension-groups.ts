import { isPropertyField } from '../../state/conditions.ts';
import { type Dimension, isProperty } from '../../state/filter-rules.ts';
import type { SentDimension } from '../../state/sent-values.ts';
import { controls as t } from '../../texts/controls.ts';
import type { PickerGroup, PickerOption } from '../picker-options.ts';

type Offered<D extends string> = Omit<SentDimension, 'dimension'> & { dimension: D };

export function dimensionGroups<D extends string = Dimension>(
  dimensions: readonly Offered<D>[],
  whyNot?: (dimension: D) => string | undefined,
): PickerGroup[] {
  const option = ({ dimension, label, values }: Offered<D>): PickerOption => ({
    value: dimension,
    label,
    detail: values
      .slice(0, 3)
      .map((one) => one.label)
      .join(', '),
    disabledWhy: whyNot?.(dimension),
  });
  const [properties = [], fields = []] = [true, false].map((wanted) =>
    dimensions.filter(({ dimension }) => isPropertyField(dimension) === wanted).map(option),
  );
  return [
    { label: t.chips.fields, options: fields },
    ...(properties.length > 0 ? [{ label: t.chips.properties, options: properties }] : []),
  ];
}

/** `own` is that of the condition that is changed. */
export function whyTaken(
  dimension: Dimension,
  all: readonly Dimension[] = [],
  own?: string,
): 'taken' | 'oneProperty' | undefined {
  const taken = all.filter((one) => one !== own);
  if (taken.includes(dimension)) return 'taken';
  return isProperty(dimension) && taken.some(isProperty) ? 'oneProperty' : undefined;
}
