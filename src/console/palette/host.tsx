import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import * as icons from '../parts/icons.ts';
import { useModule } from '../parts/use-module.ts';
import { closePalette, palette } from '../state/palette.ts';
import { texts } from '../texts/index.ts';

const loadPalette = () => import('./palette.tsx');

export function PaletteHost() {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useSignal('');
  const start = palette.value;
  const { module, isMissing } = useModule(loadPalette, start !== null);
  useEffect(() => {
    if (start === null) dialog.current?.close();
    else if (!dialog.current?.open) {
      text.value = '';
      dialog.current?.showModal();
    }
  }, [start]);
  // Before the next key.
  useLayoutEffect(() => {
    if (start !== null) dialog.current?.querySelector('input')?.focus();
  }, [start, module]);
  const closeFromBeside = (event: MouseEvent) => {
    if (event.target === dialog.current) closePalette();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same by itself.
    <dialog
      ref={dialog}
      class="palette"
      aria-label={texts.nav.search}
      onClose={closePalette}
      onClick={closeFromBeside}
    >
      {start !== null &&
        (module ? (
          <module.Palette key={start} start={start} text={text} />
        ) : (
          <div class="palette-head" aria-busy={!isMissing}>
            <icons.search aria-hidden />
            <input
              aria-label={texts.nav.search}
              value={text.value}
              onInput={({ currentTarget }) => {
                text.value = currentTarget.value;
              }}
            />
          </div>
        ))}
    </dialog>
  );
}
