import { Button } from '../../parts/button.tsx';
import { organization } from '../../state/organization.ts';
import { useOrganizations } from '../../state/organizations.ts';
import { session } from '../../state/session.ts';
import { changeOrganization, signOut } from '../../state/sign-in.ts';
import { signIn as t } from '../../texts/sign-in.ts';
import { Switch } from './account.tsx';

export const SignOut = () => (
  <Switch onClick={() => void signOut()}>{t.signOut(session.value?.user.email ?? '')}</Switch>
);

export function OwnOrganizations() {
  const others = (useOrganizations().value.data ?? []).filter(
    ({ id }) => id !== organization.value,
  );
  if (others.length === 0) return null;
  return (
    <p class="row">
      {others.map(({ id, name }) => (
        <Button key={id} onClick={() => void changeOrganization(id)}>
          {t.goOnIn(name)}
        </Button>
      ))}
    </p>
  );
}
