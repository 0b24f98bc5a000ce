import { ActionButton } from '../../parts/action-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Choice, Field, type Fields, Form } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { messages as t } from '../../texts/messages.ts';

const KINDS = ['mail', 'slack', 'discord', 'json'] as const;
const KIND_OPTIONS = KINDS.map((kind) => [kind, t.kinds[kind]] as const);

type Place = Awaited<ReturnType<typeof api.listDigestDestinations>>[number];

function Acts({ id, refetch }: { id: string; refetch: () => void }) {
  const test = async () => {
    const { delivered, error } = await api.testDigestDestination({ destinationId: id });
    refetch();
    return delivered ? t.delivered : t.notDelivered(error ?? '');
  };
  const remove = async () => {
    await api.deleteDigestDestination({ destinationId: id });
    refetch();
    return t.removed;
  };
  return (
    <>
      <ActionButton inRow button={t.test} act={test} />{' '}
      <ActionButton inRow button={t.remove} act={remove} />
    </>
  );
}

export function Destinations({ all, refetch }: { all: readonly Place[]; refetch: () => void }) {
  if (all.length === 0) {
    return <Empty icon={icons.send} title={t.noDestinations} text={t.noDestinationsWhy} />;
  }
  return (
    <Table
      caption={t.destinations}
      rows={all}
      keyOf={({ id }) => id}
      csvName={null}
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
        { label: t.test, isAct: true, show: ({ id }) => <Acts id={id} refetch={refetch} /> },
      ]}
    />
  );
}

export function AddPlaceDialog(props: {
  isOpen: boolean;
  onClose: () => void;
  onAdded: () => void;
}) {
  const { onClose } = props;
  const add = async (fields: Fields) => {
    const kind = KINDS.find((one) => one === fields.get('kind')) ?? 'mail';
    const body = { kind, name: fields.get('name').trim(), target: fields.get('target').trim() };
    await api.createDigestDestination({ body });
    props.onAdded();
    onClose();
  };
  return (
    <Dialog title={t.add} isOpen={props.isOpen} onClose={onClose}>
      <Form button={t.addButton} keep onSubmit={add} onCancel={onClose}>
        <Choice label={t.by} name="kind" options={KIND_OPTIONS} />
        <Field label={t.label} name="name" maxLength={80} autocomplete="off" />
        <Field label={t.target} name="target" hint={t.targetHint} maxLength={2_048} />
      </Form>
    </Dialog>
  );
}
