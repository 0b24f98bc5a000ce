import { useSignal } from '@preact/signals';
import { Field, type Fields, Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { api } from '../../state/api.ts';
import { session } from '../../state/session.ts';
import { readSession } from '../../state/sign-in.ts';
import { account as t } from '../../texts/account.ts';
import { signIn as signInTexts } from '../../texts/sign-in.ts';

export function Account() {
  const said = useSignal('');
  const change = async (fields: Fields) => {
    await api.changePassword({
      body: { currentPassword: fields.get('current'), newPassword: fields.get('next') },
    });
    said.value = t.changed;
  };
  const create = async (fields: Fields) => {
    await api.createOrganization({ body: { name: fields.get('name') } });
    await readSession();
  };
  return (
    <Page title={t.title} question={t.question} help="identity">
      <p>
        {session.value?.user.name} · {session.value?.user.email} · {session.value?.role}
      </p>
      <h2>{t.password}</h2>
      <Form button={t.change} onSubmit={change}>
        <Field label={t.current} name="current" type="password" autocomplete="current-password" />
        <Field
          label={t.next}
          name="next"
          type="password"
          autocomplete="new-password"
          hint={signInTexts.passwordRule}
          minLength={10}
        />
      </Form>
      <p role="status">{said.value}</p>
      <Form
        button={t.others}
        onSubmit={async () => {
          await api.revokeOtherSessions();
          said.value = t.changed;
        }}
      />
      <h2>{t.organization}</h2>
      <Form button={t.create} onSubmit={create}>
        <Field label={t.organizationName} name="name" autocomplete="organization" />
      </Form>
    </Page>
  );
}
