import type { Operations } from './operations.ts';
export interface ApiOptions {
    /** Address of the service, such as `https://control.example.com`. */
    url: string;
    /** Organization key (`svk_…`); for servers only. Without it, the browser's session is used. */
    apiKey?: string;
    /** Publishable key (`svp_…`), for the operations of a shipped app. */
    serviceKey?: string;
    /** Milliseconds for one attempt; default 30,000. */
    timeoutMs?: number;
    fetch?: (url: string, init: RequestInit) => Promise<Response>;
}
export interface CallOptions {
    signal?: AbortSignal;
}
type Name = keyof Operations;
type Input<N extends Name> = Operations[N]['input'];
type Output<N extends Name> = Operations[N]['output'];
/** The input may be left out where nothing in it is needed. */
type Arguments<N extends Name> = Record<never, never> extends Input<N> ? [input?: Input<N>, options?: CallOptions] : [input: Input<N>, options?: CallOptions];
/** The operations whose answer is one page of several. */
export type Paged = {
    [N in Name]: Output<N> extends {
        nextCursor: string | null;
    } ? N : never;
}[Name];
export type Api = {
    [N in Name]: (...args: Arguments<N>) => Promise<Output<N>>;
} & {
    /** Every page from the first (or `query.cursor`) to the last. */
    pages: <N extends Paged>(name: N, input: Input<N>, options?: CallOptions) => AsyncGenerator<Output<N>, void, undefined>;
};
/**
 * A client with a method for every operation of the service. Answers are held against the schemas of
 * the service; an error answer throws `ApiError`, no answer `ConnectionError`, another one
 * `ContractError`.
 */
export declare function createApi(options: ApiOptions): Api;
export {};
