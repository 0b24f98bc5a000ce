import { Field } from '../../parts/form.tsx';
import { signIn as t } from '../../texts/sign-in.ts';

export const Email = ({ value = '' }: { value?: string }) => (
  <Field label={t.email} name="email" type="email" autocomplete="username" value={value} />
);

export const SignInFields = ({ email = '' }: { email?: string }) => (
  <>
    <Email value={email} />
    <Field label={t.password} name="password" type="password" autocomplete="current-password" />
  </>
);

export const NewPassword = ({ name }: { name: string }) => (
  <Field
    label={t.newPassword}
    name={name}
    type="password"
    autocomplete="new-password"
    hint={t.passwordRule}
    minLength={10}
    maxLength={128}
  />
);

export const AccountFields = ({ email = '' }: { email?: string }) => (
  <>
    <Field label={t.name} name="name" autocomplete="name" maxLength={80} />
    <Email value={email} />
    <NewPassword name="password" />
  </>
);
