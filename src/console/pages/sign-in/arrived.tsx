import { useSignal } from '@preact/signals';
import { Form } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { type Arrival, arrived as came, enter, isWhole } from '../../state/arrival.ts';
import { turn } from '../../state/signals.ts';
import { arrival as t } from '../../texts/arrival.ts';
import { signIn as signInTexts } from '../../texts/sign-in.ts';
import { makeAccount, Switch } from './account.tsx';
import { AccountFields, Email, NewPassword } from './fields.tsx';
import { Door } from './frame.tsx';
import { Invitation } from './invitation.tsx';
import { SignInForm } from './sign-in-form.tsx';

function NewAccount({ secret, email }: Arrival) {
  const part = useSignal<'make' | 'exists' | 'sign-in'>('make');
  if (part.value === 'make') {
    return (
      <Door title={t.makeAccount}>
        <Form
          button={t.make}
          keep
          onSubmit={async (fields) => {
            if ((await makeAccount(fields, secret)) === 'made')
              enter(t.signedInAs(fields.get('email')));
            else part.value = 'exists';
          }}
        >
          <AccountFields email={email} />
        </Form>
        <Switch onClick={turn(part, 'sign-in')}>{t.haveAccount}</Switch>
      </Door>
    );
  }
  return <SignInAgain email={email} said={part.value === 'exists' ? t.exists : undefined} />;
}

function SignInAgain({ email, said }: { email: string; said: string | undefined }) {
  return (
    <Door title={signInTexts.signIn}>
      {said && (
        <p class="notice" role="status">
          {said}
        </p>
      )}
      <SignInForm email={email} then={(known) => enter(t.signedInAs(known))} />
    </Door>
  );
}

function Reset({ secret, email }: Arrival) {
  const part = useSignal<'ask' | 'set' | 'is-set'>(secret ? 'set' : 'ask');
  switch (part.value) {
    case 'is-set':
      return <SignInAgain email={email} said={t.isSet} />;
    case 'set':
      return (
        <Door title={t.reset}>
          <Form
            button={t.set}
            keep
            onSubmit={async (fields) => {
              const newPassword = fields.get('newPassword');
              await api.resetPassword({ body: { token: secret, newPassword } });
              part.value = 'is-set';
            }}
          >
            <NewPassword name="newPassword" />
          </Form>
        </Door>
      );
    default:
      return <AskForLink email={email} />;
  }
}

function AskForLink({ email }: { email: string }) {
  return (
    <Door title={t.reset}>
      <Form
        button={t.request}
        done={t.requested}
        onSubmit={(fields) => api.requestPasswordReset({ body: { email: fields.get('email') } })}
      >
        <Email value={email} />
      </Form>
      {isWhole && (
        <p>
          <a href="/">{t.backToSignIn}</a>
        </p>
      )}
    </Door>
  );
}

export function Arrived(arrived: Arrival) {
  if (came.value) {
    return (
      <Door title={t.done}>
        <p role="status">{came.value}</p>
      </Door>
    );
  }
  switch (arrived.path) {
    case '/accept-invitation':
      return <Invitation {...arrived} />;
    case '/sign-up':
      return <NewAccount {...arrived} />;
    case '/reset-password':
      return <Reset {...arrived} />;
  }
}
