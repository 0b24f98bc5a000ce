import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../texts/index.ts';
import { Dialog } from './dialog.tsx';
import { Field, Form } from './form.tsx';

const t = texts.confirm;

/** As a field takes it and a page shows it: what is no letter or sign of its own is one blank. */
const asTyped = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

/** Wider than any name: lengths of fields count UTF-16 units. */
const MAX_TYPED = 1_000;

/** A button whose act cannot be undone: says what will be gone and asks for the name. */
export function Confirmed(props: {
  button: string;
  title: string;
  /** What will be gone. */
  loss: string;
  /** What has to be typed. */
  name: string;
  onConfirm: () => Promise<unknown>;
  notAllowed?: string | false;
  /** Quiet and small, at the end of a row. */
  inRow?: boolean;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = useSignal(false);
  // A name of blanks alone can be neither read nor typed.
  const asked = asTyped(props.name) || t.word;
  useEffect(
    () => () => {
      // What was confirmed takes its own button away; the keyboard goes on at the page's beginning.
      if (document.activeElement === button.current) document.getElementById('content')?.focus();
    },
    [],
  );
  const close = () => {
    isOpen.value = false;
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={props.inRow ? 'ghost compact' : 'danger'}
        disabled={Boolean(props.notAllowed)}
        title={props.notAllowed || undefined}
        onClick={() => {
          isOpen.value = true;
        }}
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
