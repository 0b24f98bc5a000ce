import { signal } from '@preact/signals';
import { api, isElsewhere, type RequestError, toRequestError } from './api.ts';
import { arrival } from './arrival.ts';
import { forgetData } from './query.ts';
import {
  enterOrganization,
  goToOrganization,
  isInNone,
  organization,
  switchedFrom,
} from './organization.ts';
import { appIdAt } from './place.ts';
import { hasEnded, type Session, session } from './session.ts';

type FirstAccountState = { needed: boolean; codeNeeded: boolean };

export const firstAccount = signal<FirstAccountState>({ needed: false, codeNeeded: false });

/** An address without an organization leads to that of its app, else to the active one. */
async function sessionHere(): Promise<Session | null> {
  const current = await api.getSession();
  if (arrival || organization.value !== null || current === null) return current;
  const { pathname: path, search } = location;
  const app = appIdAt({ path, query: Object.fromEntries(new URLSearchParams(search)) });
  const [own] = app ? await api.listOrganizations({ query: { app } }) : [];
  const active = current.activeOrganizationId;
  const id = own?.id ?? active;
  if (id === null) return current;
  enterOrganization(id);
  if (id === active) return current;
  switchedFrom.value = active;
  return api.getSession();
}

export async function readSession(): Promise<void> {
  forgetData();
  const current = await sessionHere().catch((error: unknown) => {
    isInNone.value = isElsewhere(toRequestError(error));
    if (!isInNone.value) throw error;
    organization.value = null;
    return api.getSession();
  });
  if (!current) firstAccount.value = await api.getFirstAccount();
  hasEnded.value = false;
  session.value = current;
}

export async function signOut(): Promise<void> {
  await api.signOut();
  if (arrival) await readSession();
  else location.assign('/');
}

export async function changeOrganization(organizationId: string): Promise<void> {
  await api.setActiveOrganization({ body: { organizationId } });
  goToOrganization(organizationId);
}

/** Why nobody could be asked who is signed in. */
export const sessionError = signal<RequestError | null>(null);

export async function startSession(): Promise<void> {
  sessionError.value = null;
  try {
    await readSession();
  } catch (caught) {
    sessionError.value = toRequestError(caught);
  }
}
