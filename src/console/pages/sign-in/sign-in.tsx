import { Brand } from '../../parts/brand.tsx';
import { Field, type Fields, Form } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { hasEnded } from '../../state/session.ts';
import { type FirstAccountState, readSession } from '../../state/sign-in.ts';
import { signIn as t } from '../../texts/sign-in.ts';

async function signIn(fields: Fields) {
  await api.signIn({
    body: { email: fields.get('email'), password: fields.get('password') },
  });
  await readSession();
}

async function createFirstAccount(fields: Fields) {
  await api.signUp({
    body: {
      name: fields.get('name'),
      email: fields.get('email'),
      password: fields.get('password'),
      ...(fields.get('code') && { firstAccountCode: fields.get('code') }),
    },
  });
  await api.createOrganization({ body: { name: fields.get('organization') } });
  await readSession();
}

function FirstAccount({ codeNeeded }: { codeNeeded: boolean }) {
  return (
    <main class="door" id="content">
      <Brand />
      <h1>{t.first}</h1>
      <p>{t.firstWhy}</p>
      <Form button={t.firstButton} onSubmit={createFirstAccount}>
        <Field label={t.organization} name="organization" autocomplete="organization" />
        <Field label={t.name} name="name" autocomplete="name" />
        <Field label={t.email} name="email" type="email" autocomplete="username" />
        <Field
          label={t.newPassword}
          name="password"
          type="password"
          autocomplete="new-password"
          hint={t.passwordRule}
          minLength={10}
        />
        {codeNeeded && (
          <Field label={t.code} name="code" autocomplete="one-time-code" hint={t.codeRule} />
        )}
      </Form>
    </main>
  );
}

/** The door: signing in, or the first account of an installation that has none. */
export function SignIn({ first }: { first: FirstAccountState }) {
  if (first.needed) return <FirstAccount codeNeeded={first.codeNeeded} />;
  return (
    <main class="door" id="content">
      <Brand />
      <h1>{t.signIn}</h1>
      {hasEnded.value && (
        <p class="notice" role="status">
          {t.ended}
        </p>
      )}
      <Form button={t.signIn} onSubmit={signIn}>
        <Field label={t.email} name="email" type="email" autocomplete="username" />
        <Field label={t.password} name="password" type="password" autocomplete="current-password" />
      </Form>
      <p>
        <a href="/reset-password">{t.forgotten}</a>
      </p>
    </main>
  );
}

/** For somebody who is signed in and belongs to no organization. */
export function WithoutOrganization() {
  const create = async (fields: Fields) => {
    await api.createOrganization({ body: { name: fields.get('organization') } });
    await readSession();
  };
  return (
    <main class="door" id="content">
      <Brand />
      <h1>{t.noOrganization}</h1>
      <p>{t.noOrganizationWhy}</p>
      <Form button={t.create} onSubmit={create}>
        <Field label={t.organization} name="organization" autocomplete="organization" />
      </Form>
    </main>
  );
}
