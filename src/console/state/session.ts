import { computed, signal } from '@preact/signals';
import type { Operations } from '../../../clients/api/src/index.ts';
import { MANAGERS, may, OWNERS } from '../../shared/permissions.ts';
import { texts } from '../texts/index.ts';

export type Session = NonNullable<Operations['getSession']['output']>;
export type Role = NonNullable<Session['role']>;

/** Undefined until asked; null for nobody. */
export const session = signal<Session | null | undefined>(undefined);

/** Whether it ended while somebody looked. */
export const hasEnded = signal(false);

const role = computed(() => session.value?.role ?? null);

const isOneOf = (roles: readonly Role[]) =>
  computed(() => role.value !== null && roles.includes(role.value));

export const mayOwn = isOneOf(OWNERS);
export const mayManage = isOneOf(MANAGERS);
export const mayEdit = computed(() => role.value !== null && may(role.value, 'app:update'));

export const whyNotManage = computed(() => !mayManage.value && texts.errors.managersOnly);
export const whyNotEdit = computed(() => !mayEdit.value && texts.errors.editorsOnly);
