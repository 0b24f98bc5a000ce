import type { ComponentChildren } from 'preact';
import type { EventSelection } from '../../../../clients/api/src/index.ts';
import * as icons from '../../parts/icons.ts';
import { SelectionChips, type SentOf } from '../../parts/selection/selection.tsx';
import type { FaultOf } from '../../parts/selection/where.tsx';
import type { Ask } from '../../state/ask.ts';

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
        <button
          type="button"
          class="ghost compact icon-only ask-remove"
          aria-label={props.removeName}
          onClick={onRemove}
        >
          <icons.close aria-hidden class="small" />
        </button>
      )}
    </Row>
  );
}
