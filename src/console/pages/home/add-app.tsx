import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, type Fields, Form } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { newKey } from '../../state/new-key.ts';
import { whyNotEdit } from '../../state/session.ts';
import { shortNameOf } from '../../state/short-name.ts';
import { home as homeTexts } from '../../texts/home.ts';

const t = homeTexts.add;

/** The short name follows the name until somebody changes it. */
function AddApp({ onCancel }: { onCancel: () => void }) {
  const { route } = useLocation();
  const name = useSignal('');
  const slug = useSignal<string | null>(null);
  const create = async (fields: Fields) => {
    const made = await api.createApp({
      body: { slug: fields.get('slug'), displayName: fields.get('displayName').trim() },
    });
    const key = await api
      .createPublishableKey({ id: made.id, body: { name: 'app', environment: 'production' } })
      .catch(() => null);
    newKey.value = key && { appId: made.id, secret: key.secret };
    route(`/apps/${made.id}/connect`);
  };
  const type = (event: Event) => {
    const { target } = event;
    if (!(target instanceof HTMLInputElement)) return;
    if (target.name === 'displayName') name.value = target.value;
    else slug.value = target.value === '' ? null : target.value;
  };
  return (
    <Form
      button={t.create}
      keep
      onCancel={onCancel}
      onSubmit={create}
      notAllowed={whyNotEdit.value}
    >
      <div class="add-app" onInput={type}>
        <Field label={t.name} name="displayName" maxLength={80} />
        <Field
          label={t.slug}
          name="slug"
          hint={t.slugRule}
          value={slug.value ?? shortNameOf(name.value)}
          rule="appSlug"
        />
      </div>
      <p class="quiet">
        {t.next} <a href="/store">{t.fromStore}</a>
      </p>
    </Form>
  );
}

export const AddAppDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => (
  <Dialog title={t.title} isOpen={isOpen} onClose={onClose}>
    <AddApp onCancel={onClose} />
  </Dialog>
);
