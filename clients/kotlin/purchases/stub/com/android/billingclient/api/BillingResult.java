package com.android.billingclient.api;

public final class BillingResult {
    public int getResponseCode() {
        return BillingClient.BillingResponseCode.OK;
    }
}
