import { whenExactly } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import * as icons from '../../parts/icons.ts';
import { Table } from '../../parts/table.tsx';
import { audit as t } from '../../texts/audit.ts';
import { actName, type Entry, fieldsOf, idOf, thingName, whoName } from './names.ts';

type Names = ReadonlyMap<string, string>;

const thingsOf = ({ changes }: Entry): string =>
  [...new Set(changes.map(({ of }) => thingName(of)))].join(', ');

export function Entries(props: {
  entries: readonly Entry[];
  names: Names;
  chosen: string;
  onChoose: (id: string) => void;
}) {
  return (
    <Table
      caption={t.entries}
      rows={props.entries}
      keyOf={({ id }) => id}
      csvName={null}
      dense
      onRow={({ id }) => props.onChoose(id === props.chosen ? '' : id)}
      isChosen={({ id }) => id === props.chosen}
      columns={[
        {
          label: t.time,
          show: ({ at }) => <time dateTime={at}>{whenExactly(at)}</time>,
          narrow: true,
        },
        { label: t.who, show: (entry) => whoName(entry, props.names), narrow: true },
        { label: t.act, show: ({ operation }) => actName(operation), narrow: true },
        { label: t.thing, show: thingsOf },
        { label: t.entries, number: true, show: ({ changes }) => changes.length },
      ]}
    />
  );
}

function Changed({ change }: { change: Entry['changes'][number] }) {
  const title = `${thingName(change.of)} ${idOf(change)}`;
  return (
    <>
      <h3>{title}</h3>
      <Table
        caption={title}
        rows={fieldsOf(change)}
        keyOf={({ field }) => field}
        csvName={null}
        dense
        columns={[
          { label: t.field, show: ({ field }) => field },
          { label: t.before, show: ({ before }) => <span class="audit-value">{before}</span> },
          { label: t.after, show: ({ after }) => <span class="audit-value">{after}</span> },
        ]}
      />
    </>
  );
}

export function OneEntry(props: {
  entry: Entry;
  names: Names;
  appName: (id: string) => string;
  onClose: () => void;
}) {
  const { entry, names, appName, onClose } = props;
  return (
    <Card
      title={actName(entry.operation)}
      sub={t.changes(entry.changes.length)}
      class="log-entry"
      actions={<Button kind="ghost" compact icon={icons.close} label={t.close} onClick={onClose} />}
    >
      <Facts
        rows={[
          [t.time, whenExactly(entry.at)],
          [t.who, whoName(entry, names)],
          [t.app, entry.appId && appName(entry.appId)],
          [t.address, entry.address],
          [t.agent, entry.userAgent],
          [t.request, entry.requestId],
        ]}
      />
      {entry.changes.length === 0 && <p class="quiet">{t.nothing}</p>}
      {entry.changes.map((change) => (
        <Changed key={JSON.stringify(change)} change={change} />
      ))}
    </Card>
  );
}
