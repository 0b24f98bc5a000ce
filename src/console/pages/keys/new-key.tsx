import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Checks, Field, type Fields, Form } from '../../parts/form.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { api } from '../../state/api.ts';
import { keys as t } from '../../texts/keys.ts';

/** From what only reads to what destroys. */
export const SCOPES = [
  'app:read',
  'analytics:read',
  'analytics:sync',
  'app:update',
  'integration:manage',
  'app:delete',
  'sql:ask',
] as const;

const READING = SCOPES.filter((scope) => scope.endsWith(':read'));

export function NewKeyDialog(props: { isOpen: boolean; onClose: () => void; onMade: () => void }) {
  const secret = useSignal<string | null>(null);
  const close = () => {
    secret.value = null;
    props.onClose();
  };
  const create = async (fields: Fields) => {
    const chosen = fields.all('permissions');
    const permissions = SCOPES.filter((scope) => chosen.includes(scope));
    const body = { name: fields.get('name').trim(), permissions };
    secret.value = (await api.createOrganizationKey({ body })).secret;
    props.onMade();
  };
  return (
    <Dialog title={t.create} isOpen={props.isOpen} onClose={close}>
      {secret.value === null ? (
        <Form button={t.createButton} keep onSubmit={create} onCancel={close}>
          <Field label={t.name} name="name" hint={t.nameHint} autocomplete="off" maxLength={80} />
          <Checks
            label={t.permissions}
            name="permissions"
            options={SCOPES.map((scope) => [scope, t.scopes[scope]] as const)}
            value={READING}
          />
        </Form>
      ) : (
        <>
          <ShownOnce why={t.once} text={secret.value} />
          <div class="dialog-acts">
            <Button kind="primary" onClick={close}>
              {t.done}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
