package android.app;

public class Activity {
  private final boolean isChanging;

  public Activity(boolean isChanging) {
    this.isChanging = isChanging;
  }

  public boolean isChangingConfigurations() {
    return isChanging;
  }
}
