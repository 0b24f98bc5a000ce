import { controls as t } from '../texts/controls.ts';
import type { PickerProps } from './picker-options.ts';
import { useModule } from './use-module.ts';

export type { PickerGroup, PickerOption } from './picker-options.ts';

const loadList = () => import('./picker-list.tsx');

/** Its code is loaded when the first one opens. */
export function Picker(props: PickerProps) {
  const { module: list, isMissing } = useModule(loadList);
  if (list) return <list.PickerList {...props} />;
  return (
    <div class="picker" aria-busy={!isMissing}>
      <p class="picker-none">{isMissing ? t.notLoaded : t.picker.loading}</p>
    </div>
  );
}
