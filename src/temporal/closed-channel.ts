import { InterceptingCall, type Interceptor, Metadata, status } from '@grpc/grpc-js';
import { messageOf } from '../shared/errors.ts';

type Call = ConstructorParameters<typeof InterceptingCall>[0];

function failed(details: string): Call {
  return {
    start: (_metadata, listener) => {
      const answer = { code: status.CANCELLED, details, metadata: new Metadata() };
      queueMicrotask(() => {
        // Mimics a call that failed in transit, so that retries pass the status on.
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
 * Makes calls on a closed channel fail ordinarily. The SDK retries from a timer, where gRPC's throw
 * would end the process.
 */
export const failOnClosedChannel: Interceptor = (options, nextCall) => {
  try {
    return new InterceptingCall(nextCall(options));
  } catch (error) {
    return new InterceptingCall(failed(messageOf(error)));
  }
};
