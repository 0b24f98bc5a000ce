import { FormDialog, useOpening } from '../../parts/form-dialog.tsx';
import { Field } from '../../parts/form.tsx';
import { whyNotEdit } from '../../state/session.ts';
import { flags as t } from '../../texts/flags.ts';

export const Reasoned = (props: {
  button: string;
  title: string;
  text?: string;
  danger?: boolean;
  act: (reason: { why?: string }) => Promise<unknown>;
}) => (
  <FormDialog
    button={props.button}
    title={props.title}
    kind="plain"
    isDanger={props.danger ?? false}
    opening={useOpening()}
    notAllowed={whyNotEdit.value}
    send={async (fields) => {
      const why = fields.get('why').trim();
      await props.act(why ? { why } : {});
    }}
  >
    {props.text && <p>{props.text}</p>}
    <Field label={t.why} name="why" maxLength={500} optional />
  </FormDialog>
);
