import { when } from '../format.ts';
import { keys as t } from '../texts/keys.ts';
import { Confirmed } from './confirm.tsx';
import type { Column } from './table.tsx';

type Key = { id: string; name: string; prefix: string; revokedAt: string | null };

export const keyName: Column<Key> = {
  label: t.name,
  show: ({ name }) => <strong>{name}</strong>,
  sort: ({ name }) => name,
  second: ({ prefix }) => <code>{prefix}…</code>,
  narrow: true,
};

export const revokeColumn = (
  revoke: (id: string) => Promise<unknown>,
  notAllowed: string | false = false,
): Column<Key> => ({
  label: t.revoke,
  isAct: true,
  narrow: true,
  show: ({ id, name, revokedAt }) =>
    revokedAt ? (
      <span class="quiet">{t.revoked(when(revokedAt))}</span>
    ) : (
      <Confirmed
        inRow
        button={t.revoke}
        title={`${t.revoke} ${name}`}
        loss={t.revokeLoss}
        name={name}
        notAllowed={notAllowed}
        onConfirm={() => revoke(id)}
      />
    ),
});
