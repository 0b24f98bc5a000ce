import { Field, type Fields, Form } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { arrival } from '../../state/arrival.ts';
import { goToOrganization, isInNone } from '../../state/organization.ts';
import { useOrganizations } from '../../state/organizations.ts';
import { hasEnded, type Session } from '../../state/session.ts';
import { firstAccount, readSession } from '../../state/sign-in.ts';
import { secondFactor as secondFactorTexts } from '../../texts/second-factor.ts';
import { signIn as t } from '../../texts/sign-in.ts';
import { Refused } from '../account/company.tsx';
import { SecondFactor } from '../account/second-factor.tsx';
import { Arrived } from './arrived.tsx';
import { NeedsCompany, WithCompany } from './company.tsx';
import { AccountFields } from './fields.tsx';
import { Door } from './frame.tsx';
import { OwnOrganizations, SignOut } from './organizations.tsx';
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

function SignIn() {
  const { needed, codeNeeded } = firstAccount.value;
  if (needed) return <FirstAccount codeNeeded={codeNeeded} />;
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

const NeedsSecondFactor = () => (
  <Door title={secondFactorTexts.needed}>
    <p>{secondFactorTexts.neededWhy}</p>
    <SecondFactor />
    <OwnOrganizations />
    <SignOut />
  </Door>
);

function WithoutOrganization() {
  const create = async (fields: Fields) => {
    const made = await api.createOrganization({ body: { name: fields.get('organization') } });
    goToOrganization(made.id);
  };
  const isInOthers = (useOrganizations().value.data ?? []).length > 0;
  const [title, why] =
    isInOthers || isInNone.value
      ? [t.otherOrganization, t.otherOrganizationWhy]
      : [t.noOrganization, t.noOrganizationWhy];
  return (
    <Door title={title}>
      <p>{why}</p>
      <OwnOrganizations />
      <Form button={t.create} onSubmit={create}>
        <Field label={t.organization} name="organization" autocomplete="organization" />
      </Form>
      <SignOut />
    </Door>
  );
}

export function Entrance({ current }: { current: Session | null }) {
  if (arrival) return <Arrived {...arrival} />;
  if (current === null) return <SignIn />;
  if (isInNone.value) return <WithoutOrganization />;
  if (current.needsCompany) return <NeedsCompany />;
  if (current.needsSecondFactor) return <NeedsSecondFactor />;
  return <WithoutOrganization />;
}
