import type { ErrorCode } from './operations.ts';
/** An error that the service answered, typed by its code. */
export declare class ApiError<Code extends ErrorCode = ErrorCode> extends Error {
    /** HTTP status. */
    readonly status: number;
    readonly code: Code;
    /** What the caller can do; for `invalid_input` the field and the rule. */
    readonly hint: string | undefined;
    /** For a report to whoever runs the service. */
    readonly requestId: string | undefined;
    /** Seconds until a retry makes sense. */
    readonly retryAfterSeconds: number | undefined;
    readonly name = "ApiError";
    constructor(
    /** HTTP status. */
    status: number, code: Code, message: string, 
    /** What the caller can do; for `invalid_input` the field and the rule. */
    hint: string | undefined, 
    /** For a report to whoever runs the service. */
    requestId: string | undefined, 
    /** Seconds until a retry makes sense. */
    retryAfterSeconds: number | undefined);
    /** Narrows to one code: `if (error.is('slug_taken'))`. */
    is<Wanted extends ErrorCode>(code: Wanted): this is ApiError<Wanted>;
}
/** There was no answer: the network, a timeout, or the caller's own signal. */
export declare class ConnectionError extends Error {
    readonly name = "ConnectionError";
}
/** An answer that is not what the service has declared: another version, or not the service at all. */
export declare class ContractError extends Error {
    readonly status: number;
    readonly requestId: string | undefined;
    readonly name = "ContractError";
    constructor(message: string, status: number, requestId: string | undefined);
}
/** The typed error of an answer that is not a success. */
export declare function errorOf(response: Response, body: unknown): ApiError | ContractError;
