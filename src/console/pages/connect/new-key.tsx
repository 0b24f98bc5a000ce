import { Dialog } from '../../parts/dialog.tsx';
import { Field, type Fields, Form } from '../../parts/form.tsx';
import { Options } from '../../parts/options.tsx';
import { api } from '../../state/api.ts';
import { newKey } from '../../state/new-key.ts';
import { connect as t } from '../../texts/connect.ts';

const ENVIRONMENTS = [
  { value: 'production', label: t.production },
  { value: 'development', label: t.development, detail: t.environmentHint },
] as const;

export function NewKeyDialog(props: {
  appId: string;
  isOpen: boolean;
  onClose: () => void;
  onMade: () => void;
}) {
  const { appId, onClose } = props;
  const create = async (fields: Fields) => {
    const chosen = ENVIRONMENTS.find(({ value }) => value === fields.get('environment'));
    const { secret } = await api.createPublishableKey({
      id: appId,
      body: { name: fields.get('name').trim(), environment: chosen?.value ?? 'production' },
    });
    newKey.value = { appId, secret };
    props.onMade();
    onClose();
  };
  return (
    <Dialog title={t.createKey} isOpen={props.isOpen} onClose={onClose}>
      <Form button={t.create} keep onSubmit={create} onCancel={onClose}>
        <Field label={t.name} name="name" value="app" maxLength={80} autocomplete="off" />
        <Options
          label={t.environment}
          name="environment"
          value="production"
          options={ENVIRONMENTS}
        />
      </Form>
    </Dialog>
  );
}
