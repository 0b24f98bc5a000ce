import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { FormDialog, useAdding } from '../../parts/form-dialog.tsx';
import { Choice, Field, type Fields } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { ListCard } from '../../parts/list-card.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import type { Query } from '../../state/query.ts';
import { whyNotManage } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { messages as t } from '../../texts/messages.ts';
import { ToldForm } from './told.tsx';

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

const Destinations = ({ places }: { places: Query<readonly Place[]> }) => (
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

function Managed() {
  const places = useApi(api.listDigestDestinations);
  const atOnce = useApi(api.getMessageSettings);
  const digest = useApi(api.getDigestSettings);
  return (
    <>
      <Destinations places={places} />
      <Card title={t.what} sub={t.whatWhy} class="told">
        <Loaded query={atOnce}>
          {(told) => (
            <Loaded query={digest}>
              {(morning) => (
                <ToldForm atOnce={told} digest={morning} places={places.value.data ?? []} />
              )}
            </Loaded>
          )}
        </Loaded>
      </Card>
    </>
  );
}

export const Messages = () => (
  <Page question={t.question} help="digests" notAllowed={whyNotManage.value}>
    <Managed />
  </Page>
);
