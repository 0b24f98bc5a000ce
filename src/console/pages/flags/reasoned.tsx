import { useSignal } from '@preact/signals';
import { whyNotEdit } from '../../state/session.ts';
import { flags as t } from '../../texts/flags.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';

export function Reasoned(props: {
  button: string;
  title: string;
  text?: string;
  danger?: boolean;
  act: (reason: { why?: string }) => Promise<unknown>;
}) {
  const { button, title, text, danger = false } = props;
  const isOpen = useSignal(false);
  const close = () => {
    isOpen.value = false;
  };
  return (
    <>
      <Button
        compact
        label={title}
        disabledWhy={whyNotEdit.value}
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {button}
      </Button>
      <Dialog title={title} isOpen={isOpen.value} onClose={close}>
        {text && <p>{text}</p>}
        <Form
          button={button}
          danger={danger}
          onCancel={close}
          onSubmit={async (fields) => {
            const why = fields.get('why').trim();
            await props.act(why ? { why } : {});
            close();
          }}
        >
          <Field label={t.why} name="why" maxLength={500} autocomplete="off" optional />
        </Form>
      </Dialog>
    </>
  );
}
