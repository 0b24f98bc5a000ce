package android.app;

import android.content.Context;
import android.os.Bundle;
import java.io.File;
import java.util.ArrayList;
import java.util.List;

public class Application extends Context {
  public final List<ActivityLifecycleCallbacks> registered = new ArrayList<>();

  public Application(File folder) {
    super(folder);
  }

  public void registerActivityLifecycleCallbacks(ActivityLifecycleCallbacks callback) {
    registered.add(callback);
  }

  public interface ActivityLifecycleCallbacks {
    void onActivityCreated(Activity activity, Bundle savedInstanceState);

    void onActivityStarted(Activity activity);

    void onActivityResumed(Activity activity);

    void onActivityPaused(Activity activity);

    void onActivityStopped(Activity activity);

    void onActivitySaveInstanceState(Activity activity, Bundle outState);

    void onActivityDestroyed(Activity activity);
  }
}
