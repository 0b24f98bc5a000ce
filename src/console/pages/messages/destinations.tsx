import { ActionButton } from '../../parts/action-button.tsx';
import { FormDialog, useAdding } from '../../parts/form-dialog.tsx';
import { Choice, Field, type Fields } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { ListCard } from '../../parts/list-card.tsx';
import { api } from '../../state/api.ts';
import type { Query } from '../../state/query.ts';
import { messages as t } from '../../texts/messages.ts';

const KINDS = ['mail', 'slack', 'discord', 'json'] as const;
const KIND_OPTIONS = KINDS.map((kind) => [kind, t.kinds[kind]] as const);

type Place = Awaited<ReturnType<typeof api.listDigestDestinations>>[number];

function Acts({ id }: { id: string }) {
  const test = async () => {
    const { delivered, error } = await api.testDigestDestination({ destinationId: id });
    return delivered ? t.delivered : t.notDelivered(error ?? '');
  };
  const remove = async () => {
    await api.deleteDigestDestination({ destinationId: id });
    return t.removed;
  };
  return (
    <>
      <ActionButton inRow button={t.test} act={test} />{' '}
      <ActionButton inRow button={t.remove} act={remove} />
    </>
  );
}

function Add() {
  const add = async (fields: Fields) => {
    const kind = KINDS.find((one) => one === fields.get('kind')) ?? 'mail';
    const body = { kind, name: fields.get('name').trim(), target: fields.get('target').trim() };
    await api.createDigestDestination({ body });
  };
  return (
    <FormDialog
      button={t.add}
      submit={t.addButton}
      kind="plain"
      opening={useAdding('place')}
      send={add}
    >
      <Choice label={t.by} name="kind" options={KIND_OPTIONS} />
      <Field label={t.label} name="name" maxLength={80} />
      <Field label={t.target} name="target" hint={t.targetHint} maxLength={2_048} />
    </FormDialog>
  );
}

export const Destinations = ({ places }: { places: Query<readonly Place[]> }) => (
  <ListCard
    title={t.destinations}
    query={places}
    actions={<Add />}
    empty={{ icon: icons.send, title: t.noDestinations, text: t.noDestinationsWhy }}
    keyOf={({ id }) => id}
    columns={[
      {
        label: t.name,
        show: ({ name }) => <strong>{name}</strong>,
        second: ({ kind, shownTarget, goneReason }) => (
          <>
            {`${t.kinds[kind]}, ${shownTarget} `}
            {goneReason ? (
              <span class="bad">{t.gone(goneReason)}</span>
            ) : (
              <span class="good">{t.works}</span>
            )}
          </>
        ),
      },
      { label: t.test, isAct: true, show: ({ id }) => <Acts id={id} /> },
    ]}
  />
);
