export { type Api, type ApiOptions, type CallOptions, createApi, type Paged } from './client.ts';
export { ApiError, ConnectionError, ContractError } from './errors.ts';
export type * from './operations.ts';
