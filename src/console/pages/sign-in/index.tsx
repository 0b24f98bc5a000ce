import { arrival } from '../../state/arrival.ts';
import { isInNone } from '../../state/organization.ts';
import type { Session } from '../../state/session.ts';
import { Arrived } from './arrived.tsx';
import { NeedsCompany } from './company.tsx';
import { NeedsSecondFactor, SignIn, WithoutOrganization } from './sign-in.tsx';

export function Entrance({ current }: { current: Session | null }) {
  if (arrival) return <Arrived {...arrival} />;
  if (current === null) return <SignIn />;
  if (isInNone.value) return <WithoutOrganization />;
  if (current.needsCompany) return <NeedsCompany />;
  if (current.needsSecondFactor) return <NeedsSecondFactor />;
  return <WithoutOrganization />;
}
