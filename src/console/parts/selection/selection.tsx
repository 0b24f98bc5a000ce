import type { EventSelection } from '../../../../clients/api/src/index.ts';
import { conditionsOf, whereOf } from '../../state/conditions.ts';
import { MAX_EVENTS } from '../../state/filter-rules.ts';
import { type Sent, sentBy } from '../../state/sent.ts';
import { asking as t } from '../../texts/asking.ts';
import { AddChip, Chip } from '../chips/chip.tsx';
import { picking } from '../chips/opened.tsx';
import { type FaultOf, WhereChips, WithFault } from './where.tsx';

export type SentOf = Omit<Sent, 'names'>;

function eventsOf(sent: Sent, taken: readonly string[], onPick: (name: string) => void) {
  const takes = { takesAny: taken.length < 2, takesOther: !sent.isPlain };
  return picking(
    ({ EventPicker }, pick) => <EventPicker {...{ sent, taken }} {...takes} onPick={pick} />,
    onPick,
  );
}

function Events(props: {
  sent: Sent;
  names: readonly string[];
  onChange: (names: readonly string[]) => void;
}) {
  const { sent, names, onChange } = props;
  if (names.length === 0) {
    return (
      <Chip name={t.events} value={t.anything}>
        {eventsOf(sent, [], (name) => onChange(name ? [name] : []))}
      </Chip>
    );
  }
  return (
    <>
      {names.map((name, index) => (
        <span class="joined" key={name}>
          {index > 0 && <span class="ask-word">{t.or}</span>}
          <Chip name={t.events} value={name} onRemove={() => onChange(names.toSpliced(index, 1))}>
            {eventsOf(sent, names, (picked) => onChange(picked ? names.with(index, picked) : []))}
          </Chip>
        </span>
      ))}
      {names.length < (sent.isPlain ? 1 : MAX_EVENTS) && (
        <AddChip text={t.or} name={t.addEvent}>
          {eventsOf(sent, names, (picked) => onChange(picked ? [...names, picked] : []))}
        </AddChip>
      )}
    </>
  );
}

export function SelectionChips(props: {
  sent: SentOf;
  selection: EventSelection;
  onChange: (selection: EventSelection) => void;
  place: string;
  faultOf: FaultOf;
}) {
  const { selection, onChange, place, faultOf } = props;
  const { events = [], where } = selection;
  const sent = sentBy(props.sent.appId, { ...props.sent, names: events });
  return (
    <>
      <WithFault fault={faultOf(`${place}.events`)}>
        <Events
          sent={sent}
          names={events}
          onChange={(names) =>
            onChange({ ...(names.length > 0 && { events: [...names] }), ...(where && { where }) })
          }
        />
      </WithFault>
      <WhereChips
        sent={sent}
        where={whereOf(where)}
        place={`${place}.where`}
        faultOf={faultOf}
        onChange={(next) => {
          const conditions = conditionsOf(next);
          onChange({
            ...(events.length > 0 && { events }),
            ...(conditions && { where: conditions }),
          });
        }}
      />
    </>
  );
}
