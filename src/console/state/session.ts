import { computed, signal } from '@preact/signals';
import type { Operations } from '../../../clients/api/src/index.ts';

export type Session = NonNullable<Operations['getSession']['output']>;
export type Role = NonNullable<Session['role']>;

/** Undefined until asked; null for nobody. */
export const session = signal<Session | null | undefined>(undefined);

/** Whether it ended while somebody looked. */
export const hasEnded = signal(false);

const role = computed(() => session.value?.role ?? null);

export const mayManage = computed(() => role.value === 'owner' || role.value === 'admin');

export const mayEdit = computed(() => mayManage.value || role.value === 'member');
