import type { AskOptions, Entitlement, EntitlementStorage, Who } from './ask-types.ts';
export type { AskError, AskOptions, Entitlement, EntitlementOfName, EntitlementStorage, Who, } from './ask-types.ts';
export interface PurchasesOptions extends AskOptions {
    /** Where the last answer outlives the app; without it, only as long as this object. */
    storage?: EntitlementStorage;
    /** Default `cp.entitlement`. */
    storageKey?: string;
}
export interface Purchases {
    /**
     * Hands a signed transaction of the store over. The entitlement that follows; null where the
     * service did not take it: hand it over again. Never rejects.
     */
    handOver(signedTransaction: string, who: Who): Promise<Entitlement | null>;
    /**
     * What this person may use by a name of the app, such as `pro`: the service's answer, else the last
     * one for the same person and name.
     */
    named(who: Who, name: string): Promise<Entitlement | null>;
    /**
     * The same of one product. Without `productId` one answer stands for everything that the person
     * bought, so a sticker pack would unlock the subscription: ask by name.
     */
    entitlement(who: Who, productId?: string): Promise<Entitlement | null>;
    /** Forgets what is kept; call it beside `reset()`. */
    forget(): Promise<void>;
}
/** Asks the purchase routes by plain `fetch`, in browsers and in React Native. Never throws. */
export declare function createPurchases(options: PurchasesOptions): Purchases;
