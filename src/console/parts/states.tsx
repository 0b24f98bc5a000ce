import type { ComponentChildren } from 'preact';
import { when } from '../format.ts';
import type { Fault } from '../state/api.ts';
import { type Asked, isOld } from '../state/question.ts';
import { texts } from '../texts/index.ts';

export function FaultNotice({ fault, again }: { fault: Fault; again?: () => void }) {
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{fault.forbidden ? texts.faults.forbidden : fault.message}</strong>
        {fault.hint && <span> {fault.hint}</span>}
      </p>
      <div class="row">
        {again && !fault.forbidden && (
          <button type="button" onClick={again}>
            {texts.faults.again}
          </button>
        )}
        {fault.requestId && (
          <span class="quiet">
            {texts.faults.requestId} <code>{fault.requestId}</code>
          </span>
        )}
      </div>
    </div>
  );
}

/** Lines in the place of what comes; shown only when it takes noticeable time. */
export function Skeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div aria-busy="true">
      {Array.from({ length: lines }, (_, index) => (
        <div class="skeleton" key={index} />
      ))}
    </div>
  );
}

/** Draws an answer, or what there is in its place. */
export function Answered<T>(props: {
  asked: Asked<T>;
  again: () => void;
  children: (answer: T) => ComponentChildren;
}) {
  const { answer, fault, isAsking, answeredAtMs } = props.asked;
  const isStale = fault !== undefined || (isAsking && isOld(props.asked));
  return (
    <>
      {fault && <FaultNotice fault={fault} again={props.again} />}
      {answer !== undefined && isStale && (
        <p class="quiet" role="status">
          {texts.faults.stale(when(new Date(answeredAtMs).toISOString()))}
        </p>
      )}
      {answer === undefined && !fault && <Skeleton />}
      {answer !== undefined && (
        <div class={isStale ? 'stale' : undefined}>{props.children(answer)}</div>
      )}
    </>
  );
}
