import type { ComponentChildren } from 'preact';
import type { EventSelection } from '../../../../clients/api/src/index.ts';
import { Button } from '../../parts/button.tsx';
import { BreakdownChip } from '../../parts/chips/breakdown.tsx';
import * as icons from '../../parts/icons.ts';
import { SelectionChips, type SentOf } from '../../parts/selection/selection.tsx';
import { type FaultOf, WithFault } from '../../parts/selection/where.tsx';
import { type Ask, type By, chosenBy, OF_PEOPLE } from '../../state/ask.ts';
import { sentBy } from '../../state/sent.ts';

export type BuilderProps<A extends Ask> = {
  ask: A;
  onChange: (ask: A) => void;
  sent: SentOf;
  faultOf: (question: number) => FaultOf;
  isNamed?: boolean | undefined;
  unit: string;
};

export const Row = (props: { children: ComponentChildren; media?: ComponentChildren }) => (
  <div class="ask-row">
    {props.media}
    <div class="ask-chips">{props.children}</div>
  </div>
);

export const AddButton = (props: {
  text: string;
  name: string;
  disabledWhy?: string | undefined;
  onClick: () => void;
}) => (
  <button
    type="button"
    class="dashed"
    aria-label={props.name}
    disabled={props.disabledWhy !== undefined}
    title={props.disabledWhy}
    onClick={props.onClick}
  >
    <icons.add aria-hidden />
    {props.text}
  </button>
);

export function SelectionRow(props: {
  lead: ComponentChildren;
  selection: EventSelection;
  sent: SentOf;
  place: string;
  faultOf: FaultOf;
  onChange: (selection: EventSelection) => void;
  onRemove?: (() => void) | undefined;
  removeName?: string;
  children?: ComponentChildren;
}) {
  const { lead, onRemove } = props;
  return (
    <Row media={lead}>
      <SelectionChips
        sent={props.sent}
        selection={props.selection}
        place={props.place}
        faultOf={props.faultOf}
        onChange={props.onChange}
      />
      {props.children}
      {onRemove && (
        <Button
          kind="ghost"
          compact
          icon={icons.close}
          class="ask-remove"
          label={props.removeName ?? ''}
          onClick={onRemove}
        />
      )}
    </Row>
  );
}

export function BreakdownRow(props: {
  sent: SentOf;
  selection: EventSelection;
  breakdown: By | undefined;
  fault: string | undefined;
  onChange: (by: ReturnType<typeof chosenBy>) => void;
}) {
  const { sent, selection, breakdown, fault, onChange } = props;
  return (
    <WithFault fault={fault}>
      <BreakdownChip<(typeof OF_PEOPLE)[number]>
        sent={sentBy(sent.appId, { ...sent, names: selection.events ?? [] })}
        extra={OF_PEOPLE}
        value={chosenBy(breakdown)}
        onChange={onChange}
      />
    </WithFault>
  );
}
