import { useRef } from 'preact/hooks';
import { Field, Form } from './form.tsx';

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
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const confirm = async () => {
    await props.onConfirm();
    dialog.current?.close();
  };
  return (
    <>
      <button
        type="button"
        class="danger"
        disabled={Boolean(props.notAllowed)}
        title={props.notAllowed || undefined}
        onClick={() => dialog.current?.showModal()}
      >
        {props.button}
      </button>
      <dialog ref={dialog} aria-label={props.title}>
        <h1>{props.title}</h1>
        <p>{props.loss}</p>
        <Form
          button={props.button}
          danger
          onSubmit={async (fields) => {
            if (fields.get('confirmation') !== props.name) {
              throw new Error(`Type "${props.name}" to confirm.`);
            }
            await confirm();
          }}
        >
          <Field label={`Type "${props.name}" to confirm`} name="confirmation" autocomplete="off" />
        </Form>
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </dialog>
    </>
  );
}
