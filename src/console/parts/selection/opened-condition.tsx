import type { JSX } from 'preact';
import { controls as t } from '../../texts/controls.ts';
import { useModule } from '../use-module.ts';

const load = () => import('./condition-picker.tsx');

/** The pickers of conditions; their code is loaded when the first one opens. */
export function OpenedCondition(props: {
  children: (pickers: Awaited<ReturnType<typeof load>>) => JSX.Element;
}) {
  const { module, isMissing } = useModule(load);
  if (module) return props.children(module);
  return (
    <div class="picker" aria-busy={!isMissing}>
      <p class="picker-none">{isMissing ? t.notLoaded : t.picker.loading}</p>
    </div>
  );
}
