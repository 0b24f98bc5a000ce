import type { AskOptions, Entitlement, EntitlementStorage, Who } from './ask-types.ts';
export type { AskError, AskOptions, Entitlement, EntitlementStorage, Who } from './ask-types.ts';
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
     * What this person may use of a product: the service's answer, else the last one for the same person
     * and product. Without `productId` one answer stands for everything that the person bought: name it
     * where the app sells more than one kind, and ask for each product that unlocks the same.
     */
    entitlement(who: Who, productId?: string): Promise<Entitlement | null>;
    /** Forgets what is kept; call it beside `reset()`. */
    forget(): Promise<void>;
}
/** Asks the purchase routes by plain `fetch`, in browsers and in React Native. Never throws. */
export declare function createPurchases(options: PurchasesOptions): Purchases;
