import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { controls as t } from '../texts/controls.ts';
import * as icons from './icons.ts';

/** Before the cross, where the browser would begin. */
function focusBody(dialog: HTMLDialogElement): void {
  const body = dialog.querySelector('.dialog-body');
  const first =
    body?.querySelector<HTMLElement>('input, select, textarea') ??
    body?.querySelector<HTMLElement>('button:not(:disabled), a[href]');
  first?.focus();
}

export function Dialog(props: {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ComponentChildren;
  isWide?: boolean;
  class?: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (!props.isOpen) dialog.current?.close();
    else if (dialog.current && !dialog.current.open) {
      dialog.current.showModal();
      focusBody(dialog.current);
    }
  }, [props.isOpen]);
  const closeFromBeside = (event: MouseEvent) => {
    if (event.target === dialog.current) dialog.current?.close();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same by itself.
    <dialog
      ref={dialog}
      class={`dialog${props.isWide ? ' wide' : ''}${props.class ? ` ${props.class}` : ''}`}
      aria-labelledby={id}
      onClose={props.onClose}
      onClick={closeFromBeside}
    >
      <div class="dialog-frame">
        <div class="dialog-head">
          <h2 id={id}>{props.title}</h2>
          <button
            type="button"
            class="icon-button"
            aria-label={t.close}
            onClick={() => dialog.current?.close()}
          >
            <icons.close aria-hidden />
          </button>
        </div>
        {props.isOpen && <div class="dialog-body">{props.children}</div>}
      </div>
    </dialog>
  );
}
