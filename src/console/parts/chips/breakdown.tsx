import type { Dimension } from '../../state/filters.ts';
import { dimensionLabel, type Sent } from '../../state/sent.ts';
import { controls as t } from '../../texts/controls.ts';
import { AddChip, Chip } from '../chip.tsx';
import { Picker } from '../picker.tsx';
import { dimensionGroups } from './dimension-groups.ts';

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
