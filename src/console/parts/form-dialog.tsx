import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useSetting } from '../state/address.ts';
import { turn } from '../state/signals.ts';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { type Fields, Form } from './form.tsx';
import * as icons from './icons.ts';

type Opening = { isOpen: boolean; open: () => void; close: () => void };

export function useAdding(name: string): Opening {
  const [adding, set] = useSetting('add', '');
  return { isOpen: adding === name, open: () => set(name), close: () => set('') };
}

export function FormDialog<T>(props: {
  button: string;
  title?: string;
  submit?: string;
  opening: Opening;
  notAllowed?: string | false;
  kind?: 'primary' | 'plain' | 'ghost';
  isWide?: boolean;
  isDanger?: boolean;
  send: (fields: Fields) => Promise<T>;
  made?: (made: NonNullable<T>) => ComponentChildren;
  children: ComponentChildren;
}) {
  const { button, title = button, opening, notAllowed = false, kind = 'primary', made } = props;
  const sent = useSignal<{ answer: NonNullable<T> } | null>(null);
  const close = () => {
    sent.value = null;
    opening.close();
  };
  return (
    <>
      <Button
        kind={kind}
        compact={kind !== 'primary'}
        {...(props.title === undefined ? { icon: icons.add } : { label: title })}
        onClick={opening.open}
        disabledWhy={notAllowed}
      >
        {button}
      </Button>
      <Dialog
        title={title}
        isOpen={opening.isOpen && !notAllowed}
        onClose={close}
        isWide={props.isWide ?? false}
      >
        {sent.value && made ? (
          <>
            {made(sent.value.answer)}
            <div class="dialog-acts">
              <Button kind="primary" onClick={close}>
                {texts.done}
              </Button>
            </div>
          </>
        ) : (
          <Form
            button={props.submit ?? button}
            danger={props.isDanger ?? false}
            keep
            onCancel={close}
            onSubmit={async (fields) => {
              const answer = await props.send(fields);
              if (made && answer) sent.value = { answer };
              else close();
            }}
          >
            {props.children}
          </Form>
        )}
      </Dialog>
    </>
  );
}

export function useOpening(): Opening {
  const isOpen = useSignal(false);
  return { isOpen: isOpen.value, open: turn(isOpen, true), close: turn(isOpen, false) };
}
