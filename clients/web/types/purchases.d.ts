import type { AskOptions, Entitlement, EntitlementStorage, Offerings, Who } from './ask-types.ts';
export type { AskError, AskOptions, Entitlement, EntitlementOfName, EntitlementStorage, Offering, OfferingPackage, Offerings, Who, } from './ask-types.ts';
export interface OfferingsContext {
    platform?: string;
    appVersion?: string;
    osVersion?: string;
    locale?: string;
    country?: string;
}
export interface PurchasesOptions extends AskOptions {
    /** Where the last answer outlives the app; without it, only as long as this object. */
    storage?: EntitlementStorage;
    /** Default `cp.entitlement`. */
    storageKey?: string;
    /** Milliseconds for which a kept answer holds without the service; default 30 days. */
    longestAgeMs?: number;
}
export interface Purchases {
    /**
     * Hands a signed transaction of the store over. The entitlement that follows; null where the
     * service did not take it: hand it over again. Never rejects. `offering`: in which it was bought.
     */
    handOver(signedTransaction: string, who: Who, offering?: string): Promise<Entitlement | null>;
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
    /**
     * What the paywall shows to this person; null where the service did not answer. `context` is for the
     * rules of the flag that chooses. `shown`: the offering is on the screen, which is the exposure of an
     * experiment.
     */
    offerings(who: Who, context?: OfferingsContext & {
        shown?: boolean;
    }): Promise<Offerings | null>;
    /** Forgets what is kept; call it beside `reset()`. */
    forget(): Promise<void>;
}
/** Asks the purchase routes by plain `fetch`, in browsers and in React Native. Never throws. */
export declare function createPurchases(options: PurchasesOptions): Purchases;
