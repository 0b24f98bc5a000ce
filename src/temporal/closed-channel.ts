import { InterceptingCall, type Interceptor, Metadata, status } from '@grpc/grpc-js';
import { errorMessage } from '../shared/errors.ts';

type Call = ConstructorParameters<typeof InterceptingCall>[0];

function failed(details: string): Call {
  return {
    start: (_metadata, listener) => {
      const answer = { code: status.CANCELLED, details, metadata: new Metadata() };
      queueMicrotask(() => {
        // Retries pass the status on then.
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

/** gRPC's throw in the SDK's timer would end the process. */
export const failOnClosedChannel: Interceptor = (options, nextCall) => {
  try {
    return new InterceptingCall(nextCall(options));
  } catch (error) {
    return new InterceptingCall(failed(errorMessage(error)));
  }
};
