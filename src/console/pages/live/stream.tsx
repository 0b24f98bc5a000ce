import type { ComponentChildren } from 'preact';
import type { RecentEvent } from '../../../../clients/api/src/index.ts';
import { FILTER_FIELDS } from '../../../shared/event-fields.ts';
import type { FilterField } from '../../../shared/event-fields.ts';
import { timeOfDay, when } from '../../format.ts';
import { personPath } from '../../parts/person-link.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import type { Dimension } from '../../state/filter-rules.ts';
import { dimensionLabel } from '../../state/sent-values.ts';
import { valueLabel } from '../../state/sent.ts';
import { live as t } from '../../texts/live.ts';
import { visible } from '../../visible.ts';
import { keyOf } from './minutes.ts';

export type Narrow = {
  byName: (name: string) => void;
  byPerson: (personId: string) => void;
  by: (dimension: Dimension, value: string) => void;
};

/** The chips above mostly do the same by keys. */
const Cell = (props: {
  name: string;
  onClick: () => void;
  /** No chip does the same. */
  isOnlyWay?: boolean;
  children: ComponentChildren;
}) => (
  <button
    type="button"
    class="cell-filter"
    tabIndex={props.isOnlyWay ? 0 : -1}
    title={t.only(props.name)}
    onClick={props.onClick}
  >
    {props.children}
  </button>
);

function Properties({ event, narrow }: { event: RecentEvent; narrow: Narrow }) {
  return (
    <span class="properties">
      {Object.entries(event.props ?? {}).map(([name, value]) => {
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        return (
          <Cell key={name} name={`${name} ${text}`} onClick={() => narrow.by(`prop:${name}`, text)}>
            <span class="quiet">{name}</span> {text}
          </Cell>
        );
      })}
    </span>
  );
}

function columnsOf(appId: string, narrow: Narrow): Column<RecentEvent>[] {
  const field = (dimension: FilterField, label: string) =>
    ({
      label,
      show: (event) => {
        const value = event[dimension];
        if (value === null) return null;
        const text = valueLabel(dimension, value);
        return (
          <Cell name={text} onClick={() => narrow.by(dimension, value)}>
            {text}
          </Cell>
        );
      },
      plain: (event) => event[dimension],
    }) satisfies Column<RecentEvent>;
  return [
    {
      label: t.time,
      show: ({ receivedAt }) => (
        <time class="nowrap" dateTime={receivedAt} title={when(receivedAt)}>
          {timeOfDay(receivedAt)}
        </time>
      ),
      plain: ({ receivedAt }) => receivedAt,
      narrow: true,
    },
    {
      label: t.event,
      show: ({ name }) => (
        <Cell name={name} onClick={() => narrow.byName(name)}>
          <b>{name}</b>
        </Cell>
      ),
      plain: ({ name }) => name,
      narrow: true,
    },
    {
      label: t.person,
      show: ({ personId }) => (
        <span class="live-person">
          <a href={personPath(appId, personId)}>{visible(personId)}</a>
          <Cell name={personId} onClick={() => narrow.byPerson(personId)} isOnlyWay>
            <span class="quiet">{t.onlyThis}</span>
          </Cell>
        </span>
      ),
      plain: ({ personId }) => personId,
      narrow: true,
    },
    ...FILTER_FIELDS.map((name) => field(name, dimensionLabel(name))),
    {
      label: t.properties,
      show: (event) => <Properties event={event} narrow={narrow} />,
      plain: ({ props }) => props && JSON.stringify(props),
    },
  ];
}

export const Stream = (props: {
  appId: string;
  events: readonly RecentEvent[];
  narrow: Narrow;
}) => (
  <Table
    caption={t.title}
    rows={props.events}
    csvName="events"
    keyOf={keyOf}
    dense
    columns={columnsOf(props.appId, props.narrow)}
  />
);
