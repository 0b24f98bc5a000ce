import type { JSX } from 'preact';
import { controls as t } from '../../texts/controls.ts';
import { useModule } from '../use-module.ts';

export const loadPickers = () => import('./pickers.tsx');

export function Opened(props: {
  children: (pickers: Awaited<ReturnType<typeof loadPickers>>) => JSX.Element;
}) {
  const { module, isMissing } = useModule(loadPickers);
  if (module) return props.children(module);
  return (
    <div class="picker" aria-busy={!isMissing}>
      <p class="picker-none">{isMissing ? t.notLoaded : t.picker.loading}</p>
    </div>
  );
}
