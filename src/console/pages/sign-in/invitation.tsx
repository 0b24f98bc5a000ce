import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button.tsx';
import { type Fields, Form } from '../../parts/form.tsx';
import { ErrorNotice, Skeleton } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { type Arrival, enter, isWhole } from '../../state/arrival.ts';
import { session } from '../../state/session.ts';
import { signOut } from '../../state/sign-in.ts';
import { turn } from '../../state/signals.ts';
import { useApi } from '../../state/use-api.ts';
import { arrival as t } from '../../texts/arrival.ts';
import { makeAccount, Switch } from './account.tsx';
import { AccountFields } from './fields.tsx';
import { Door } from './frame.tsx';
import { SignInForm } from './sign-in-form.tsx';

type Offer = Awaited<ReturnType<typeof api.readInvitation>>;

async function join(invitationId: string, { organizationName }: Offer): Promise<void> {
  const joined = await api.acceptInvitation({ body: { invitationId } });
  enter(t.joined(organizationName), joined?.activeOrganizationId);
}

const Ended = ({ title, text }: { title: string; text: string }) => (
  <Door title={title}>
    <p>{text}</p>
    {isWhole && (
      <Button kind="primary" href="/">
        {t.toConsole}
      </Button>
    )}
  </Door>
);

function Says({ offer: { inviterEmail, role } }: { offer: Offer }) {
  const word = t.roles[role];
  return <p>{inviterEmail ? t.invites(inviterEmail, word) : t.invited(word)}</p>;
}

function JoinAs({ offer, secret, email }: { offer: Offer; secret: string; email: string }) {
  const isTheirs = email.toLowerCase() === offer.email.toLowerCase();
  return (
    <Door title={t.join(offer.organizationName)}>
      <Says offer={offer} />
      <p class={isTheirs ? 'quiet' : 'notice'}>
        {t.signedInAs(email)} {!isTheirs && t.isFor(offer.email)}
      </p>
      {isTheirs && <Form button={t.joinButton} keep onSubmit={() => join(secret, offer)} />}
      <Switch onClick={() => void signOut()}>{t.otherAccount}</Switch>
    </Door>
  );
}

function JoinAnew({ offer, secret }: { offer: Offer; secret: string }) {
  const part = useSignal<'make' | 'exists' | 'sign-in'>('make');
  const make = async (fields: Fields) => {
    if ((await makeAccount(fields, secret)) === 'made') await join(secret, offer);
    else part.value = 'exists';
  };
  if (part.value === 'make') {
    return (
      <Door title={t.join(offer.organizationName)}>
        <Says offer={offer} />
        <Form button={t.makeAndJoin} keep onSubmit={make}>
          <AccountFields email={offer.email} />
        </Form>
        <Switch onClick={turn(part, 'sign-in')}>{t.haveAccount}</Switch>
      </Door>
    );
  }
  return (
    <Door title={t.signInTo(offer.organizationName)}>
      {part.value === 'exists' && (
        <p class="notice" role="status">
          {t.exists}
        </p>
      )}
      <SignInForm email={offer.email} then={() => join(secret, offer)} />
      <Switch onClick={turn(part, 'make')}>{t.noAccount}</Switch>
    </Door>
  );
}

export function Invitation({ secret }: Arrival) {
  const body = { invitationId: secret };
  const offered = useApi(api.readInvitation, { body }, { enabled: secret !== '' });
  const { data, error } = offered.value;
  if (secret === '') return <Ended title={t.incomplete} text={t.incompleteWhy} />;
  if (error?.code === 'not_found') return <Ended title={t.gone} text={t.goneWhy} />;
  if (error) {
    return (
      <Door title={t.joinButton}>
        <ErrorNotice error={error} refetch={offered.refetch} />
      </Door>
    );
  }
  if (!data) {
    return (
      <Door title={t.joinButton}>
        <Skeleton shape="rows" count={3} />
      </Door>
    );
  }
  const email = session.value?.user.email;
  if (email) return <JoinAs offer={data} secret={secret} email={email} />;
  return <JoinAnew offer={data} secret={secret} />;
}
