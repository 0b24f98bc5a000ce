import { useSignal } from '@preact/signals';
import { Field, Form } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { turn } from '../../state/signals.ts';
import { signIn as t } from '../../texts/sign-in.ts';
import { Switch } from './account.tsx';
import { SignInFields } from './fields.tsx';

/** Password, then the code of an account that has a second factor. */
export function SignInForm(props: { email?: string; then: (email: string) => unknown }) {
  /** Of the account that is asked for its code. */
  const asked = useSignal<string | null>(null);
  if (asked.value === null) {
    return (
      <Form
        key="password"
        button={t.signIn}
        keep
        onSubmit={async (fields) => {
          const email = fields.get('email');
          const answer = await api.signIn({ body: { email, password: fields.get('password') } });
          if ('secondFactorNeeded' in answer) asked.value = email;
          else await props.then(email);
        }}
      >
        <SignInFields {...(props.email !== undefined && { email: props.email })} />
      </Form>
    );
  }
  const email = asked.value;
  return (
    <>
      <Form
        key="code"
        button={t.confirmCode}
        keep
        onSubmit={async (fields) => {
          await api.signInWithCode({ body: { code: fields.get('code') } });
          await props.then(email);
        }}
      >
        <Field
          label={t.factorCode}
          name="code"
          autocomplete="one-time-code"
          hint={t.factorCodeRule}
          minLength={6}
          maxLength={64}
        />
      </Form>
      <Switch onClick={turn(asked, null)}>{t.otherSignIn}</Switch>
    </>
  );
}
