import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { turn } from '../state/signals.ts';
import { texts } from '../texts/index.ts';
import { Dialog } from './dialog.tsx';
import { Field, Form } from './form.tsx';

const t = texts.confirm;

/** What is no letter or sign is one blank. */
const asTyped = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

/** Wider than any name: lengths of fields count UTF-16 units. */
const MAX_TYPED = 1_000;

type Asked = { title: string; loss: string; name: string; button: string };

export function ConfirmDialog(
  props: Asked & {
    isOpen: boolean;
    isDanger?: boolean;
    above?: ComponentChildren;
    onConfirm: () => Promise<unknown>;
    onClose: () => void;
  },
) {
  const { title, button, isOpen, isDanger = true, onClose } = props;
  const asked = asTyped(props.name) || t.word;
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      {props.above}
      <p>{props.loss}</p>
      <Form
        button={button}
        danger={isDanger}
        onCancel={onClose}
        onSubmit={async (fields) => {
          if (asTyped(fields.get('confirmation')) !== asked) throw new Error(t.wrong(asked));
          await props.onConfirm();
          onClose();
        }}
      >
        <Field label={t.type(asked)} name="confirmation" maxLength={MAX_TYPED} />
      </Form>
    </Dialog>
  );
}

export function Confirmed(
  props: Asked & {
    onConfirm: () => Promise<unknown>;
    notAllowed?: string | false;
    inRow?: boolean;
  },
) {
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = useSignal(false);
  useEffect(
    () => () => {
      // The button is gone with what was confirmed.
      if (document.activeElement === button.current) document.getElementById('content')?.focus();
    },
    [],
  );
  return (
    <>
      <button
        ref={button}
        type="button"
        class={props.inRow ? 'ghost compact' : 'danger'}
        disabled={Boolean(props.notAllowed)}
        title={props.notAllowed || undefined}
        onClick={turn(isOpen, true)}
      >
        {props.button}
      </button>
      <ConfirmDialog {...props} isOpen={isOpen.value} onClose={turn(isOpen, false)} />
    </>
  );
}
