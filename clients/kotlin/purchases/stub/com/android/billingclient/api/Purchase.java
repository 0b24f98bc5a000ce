package com.android.billingclient.api;

public class Purchase {
    public String getPurchaseToken() {
        return "";
    }
}
