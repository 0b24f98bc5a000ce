import { InterceptingCall, type Interceptor, Metadata, status } from '@grpc/grpc-js';
import { messageOf } from '../shared/errors.ts';

type Call = ConstructorParameters<typeof InterceptingCall>[0];

/** A call that fails as soon as it starts. */
function failed(details: string): Call {
  return {
    start: (_metadata, listener) => {
      const answer = { code: status.CANCELLED, details, metadata: new Metadata() };
      queueMicrotask(() => {
        // As a call that failed on its way; whoever repeats calls passes this on with the status.
        listener?.onReceiveMessage?.(null);
        listener?.onReceiveStatus?.(answer);
      });
    },
    cancelWithStatus: () => undefined,
    getPeer: () => '',
    sendMessageWithContext: () => undefined,
    sendMessage: () => undefined,
    startRead: () => undefined,
    halfClose: () => undefined,
    getAuthContext: () => null,
  };
}

/**
 * Makes a call on a closed channel fail like any other. The SDK repeats failed calls from a timer:
 * what gRPC throws there, when the channel was closed in between, would end the process.
 */
export const failOnClosedChannel: Interceptor = (options, nextCall) => {
  try {
    return new InterceptingCall(nextCall(options));
  } catch (error) {
    return new InterceptingCall(failed(messageOf(error)));
  }
};
