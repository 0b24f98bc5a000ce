import {
  type WorkflowInboundCallsInterceptor,
  type WorkflowInterceptorsFactory,
  type WorkflowOutboundCallsInterceptor,
  workflowInfo,
} from '@temporalio/workflow';
import { forgedAnswers } from '../src/temporal/contracts/forged-answers.ts';
import {
  argsFor,
  checkPurpose,
  notEncrypted,
  findOrigin,
} from '../src/temporal/contracts/plain-payload.ts';

const never = new Promise<never>(() => undefined);

class Trust {
  /** Requires encrypted messages, as the input was. */
  isStrict = false;
  private readonly forged = new Set<number>();
  private endRun: (thrown: Error) => void = () => undefined;
  /** Rejects for a forged answer, before any reaction to it. */
  readonly broken = new Promise<never>((_, reject) => {
    this.endRun = reject;
  });

  checkStart(args: readonly unknown[]): void {
    this.isStrict = checkPurpose(args, `workflow:${workflowInfo().workflowType}`) ?? false;
  }

  check(args: readonly unknown[], purpose: string): void {
    if (checkPurpose(args, purpose) || !this.isStrict) return;
    // Too early a payload is refused by the converter; one without a time proves nothing.
    if (findOrigin(args[0])?.acceptedUntil === undefined) throw notEncrypted();
  }

  noteForged(seqs: readonly number[]): void {
    if (this.isStrict) for (const seq of seqs) this.forged.add(seq);
  }

  /** A forged answer never arrives and ends the run; rows start it again. */
  async answer<T>(seq: number, work: Promise<T>): Promise<T> {
    const settled = await work.then(
      (value) => () => value,
      (thrown: unknown) => () => {
        throw thrown;
      },
    );
    if (!this.forged.has(seq)) return settled();
    this.endRun(notEncrypted());
    return never;
  }
}

const inbound = (trust: Trust): WorkflowInboundCallsInterceptor => ({
  execute: async (input, next) => {
    trust.checkStart(input.args);
    return trust.isStrict ? Promise.race([next(input), trust.broken]) : next(input);
  },
  validateUpdate: (input, next) => {
    trust.check(input.args, `update:${input.name}`);
    next(input);
  },
  handleUpdate: async (input, next) => {
    trust.check(input.args, `update:${input.name}`);
    return next(input);
  },
  handleSignal: async (input, next) => {
    try {
      trust.check(input.args, `signal:${input.signalName}`);
    } catch {
      // An error would end the receiving run.
      return;
    }
    await next(input);
  },
});

const outbound = (trust: Trust): WorkflowOutboundCallsInterceptor => ({
  scheduleActivity: (input, next) => {
    const args = argsFor(input.args, `activity:${input.activityType}`);
    const work = next({ ...input, args });
    return trust.isStrict ? trust.answer(input.seq, work) : work;
  },
  scheduleLocalActivity: (input, next) => {
    const args = argsFor(input.args, `activity:${input.activityType}`);
    const work = next({ ...input, args });
    return trust.isStrict ? trust.answer(input.seq, work) : work;
  },
  startChildWorkflowExecution: (input, next) => {
    const args = argsFor(input.options.args ?? [], `workflow:${input.workflowType}`);
    return next({ ...input, options: { ...input.options, args } });
  },
  signalWorkflow: (input, next) =>
    next({ ...input, args: argsFor(input.args, `signal:${input.signalName}`) }),
  continueAsNew: (input, next) =>
    next({ ...input, args: argsFor(input.args, `workflow:${input.options.workflowType}`) }),
});

/** With encryption, only holders of the key start, signal or answer a run. */
export const interceptors: WorkflowInterceptorsFactory = () => {
  const trust = new Trust();
  return {
    inbound: [inbound(trust)],
    outbound: [outbound(trust)],
    internals: [
      {
        activate: (input, next) => {
          trust.noteForged(forgedAnswers(input.activation, workflowInfo().startTime.getTime()));
          next(input);
        },
      },
    ],
  };
};
