import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import * as icons from '../parts/icons.ts';
import { useModule } from '../parts/use-module.ts';
import { closePalette, palette } from '../state/palette.ts';
import { texts } from '../texts/index.ts';

const loadPalette = () => import('./palette.tsx');

export function PaletteHost() {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useSignal('');
  const opened = palette.value;
  const { module, isMissing } = useModule(loadPalette, opened !== null);
  // Before the next key.
  useLayoutEffect(() => {
    if (opened === null) dialog.current?.close();
    else if (!dialog.current?.open) {
      text.value = '';
      dialog.current?.showModal();
    }
  }, [opened]);
  useLayoutEffect(() => {
    if (opened !== null) dialog.current?.querySelector('input')?.focus();
  }, [opened, module]);
  const onClose = () => {
    // Of the time before: a key has opened it again.
    if (!dialog.current?.open) closePalette();
  };
  const closeFromBeside = (event: MouseEvent) => {
    if (event.target === dialog.current) closePalette();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same by itself.
    <dialog
      ref={dialog}
      class="palette"
      aria-label={texts.nav.search}
      onClose={onClose}
      onClick={closeFromBeside}
    >
      {opened !== null &&
        (module ? (
          <module.Palette key={opened.start} start={opened.start} text={text} />
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
