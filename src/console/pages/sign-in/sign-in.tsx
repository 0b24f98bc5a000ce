import { Field, type Fields, Form } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { hasEnded, session } from '../../state/session.ts';
import { type FirstAccountState, readSession, signOut } from '../../state/sign-in.ts';
import { secondFactor as secondFactorTexts } from '../../texts/second-factor.ts';
import { signIn as t } from '../../texts/sign-in.ts';
import { SecondFactor } from '../account/second-factor.tsx';
import { Refused, WithCompany } from './company.tsx';
import { Door } from './frame.tsx';
import { AccountFields } from './fields.tsx';
import { SignInForm } from './sign-in-form.tsx';

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
    <Door title={t.first}>
      <p>{t.firstWhy}</p>
      <Form button={t.firstButton} keep onSubmit={createFirstAccount}>
        <Field label={t.organization} name="organization" autocomplete="organization" />
        <AccountFields />
        {codeNeeded && (
          <Field label={t.code} name="code" autocomplete="one-time-code" hint={t.codeRule} />
        )}
      </Form>
    </Door>
  );
}

export function SignIn({ first }: { first: FirstAccountState }) {
  if (first.needed) return <FirstAccount codeNeeded={first.codeNeeded} />;
  return (
    <Door title={t.signIn}>
      {hasEnded.value && (
        <p class="notice" role="status">
          {t.ended}
        </p>
      )}
      <Refused />
      <SignInForm then={readSession} />
      <p>
        <a href="/reset-password">{t.forgotten}</a>
      </p>
      <WithCompany />
    </Door>
  );
}

export const NeedsSecondFactor = () => (
  <Door title={secondFactorTexts.needed}>
    <p>{secondFactorTexts.neededWhy}</p>
    <SecondFactor />
    <p>
      <button type="button" class="ghost" onClick={() => void signOut()}>
        {t.signOut(session.value?.user.email ?? '')}
      </button>
    </p>
  </Door>
);

export function WithoutOrganization() {
  const create = async (fields: Fields) => {
    await api.createOrganization({ body: { name: fields.get('organization') } });
    await readSession();
  };
  return (
    <Door title={t.noOrganization}>
      <p>{t.noOrganizationWhy}</p>
      <Form button={t.create} onSubmit={create}>
        <Field label={t.organization} name="organization" autocomplete="organization" />
      </Form>
      <p>
        <button type="button" class="ghost" onClick={() => void signOut()}>
          {t.signOut(session.value?.user.email ?? '')}
        </button>
      </p>
    </Door>
  );
}
