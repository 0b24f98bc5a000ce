import type { JSX } from 'preact';
import { controls as t } from '../../texts/controls.ts';
import { useModule } from '../use-module.ts';

export const loadPickers = () => import('./pickers.tsx');
type Pickers = Awaited<ReturnType<typeof loadPickers>>;

export function Opened(props: { children: (pickers: Pickers) => JSX.Element }) {
  const { module, isMissing } = useModule(loadPickers);
  if (module) return props.children(module);
  return (
    <div class="picker" aria-busy={!isMissing}>
      <p class="picker-none">{isMissing ? t.notLoaded : t.picker.loading}</p>
    </div>
  );
}

export const picking =
  <A extends unknown[]>(
    draw: (pickers: Pickers, pick: (...picked: A) => void) => JSX.Element,
    onPick: (...picked: A) => void,
  ) =>
  (close: () => void) => (
    <Opened>
      {(pickers) =>
        draw(pickers, (...picked) => {
          close();
          onPick(...picked);
        })
      }
    </Opened>
  );
