package com.android.billingclient.api;

public abstract class BillingClient {
    public @interface BillingResponseCode {
        int OK = 0;
    }

    public @interface ProductType {
        String INAPP = "inapp";
        String SUBS = "subs";
    }

    public abstract void queryPurchasesAsync(
            QueryPurchasesParams params, PurchasesResponseListener listener);
}
