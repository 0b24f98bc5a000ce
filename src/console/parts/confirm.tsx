import { useSignal } from '@preact/signals';
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

export function Confirmed(props: {
  button: string;
  title: string;
  loss: string;
  name: string;
  onConfirm: () => Promise<unknown>;
  notAllowed?: string | false;
  inRow?: boolean;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = useSignal(false);
  const asked = asTyped(props.name) || t.word;
  useEffect(
    () => () => {
      // The button is gone with what was confirmed.
      if (document.activeElement === button.current) document.getElementById('content')?.focus();
    },
    [],
  );
  const close = turn(isOpen, false);
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
      <Dialog title={props.title} isOpen={isOpen.value} onClose={close}>
        <p>{props.loss}</p>
        <Form
          button={props.button}
          danger
          onCancel={close}
          onSubmit={async (fields) => {
            if (asTyped(fields.get('confirmation')) !== asked) throw new Error(t.wrong(asked));
            await props.onConfirm();
            close();
          }}
        >
          <Field
            label={t.type(asked)}
            name="confirmation"
            maxLength={MAX_TYPED}
            autocomplete="off"
          />
        </Form>
      </Dialog>
    </>
  );
}
