import { signal } from '@preact/signals';
import { api, type RequestError, toRequestError } from './api.ts';
import { forgetData } from './query.ts';
import { hasEnded, session } from './session.ts';

export type FirstAccountState = { needed: boolean; codeNeeded: boolean };

export const firstAccount = signal<FirstAccountState>({ needed: false, codeNeeded: false });

/** And forgets what was shown before. */
export async function readSession(): Promise<void> {
  forgetData();
  const current = await api.getSession();
  if (!current) firstAccount.value = await api.getFirstAccount();
  hasEnded.value = false;
  session.value = current;
}

export async function signOut(): Promise<void> {
  await api.signOut();
  await readSession();
}

export async function changeOrganization(organizationId: string): Promise<void> {
  await api.setActiveOrganization({ body: { organizationId } });
  await readSession();
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
