package android.content;

import android.content.pm.PackageManager;
import java.io.File;

public class Context {
  private final File folder;

  public Context(File folder) {
    this.folder = folder;
  }

  public File getNoBackupFilesDir() {
    return folder;
  }

  public String getPackageName() {
    return "com.example.app";
  }

  public PackageManager getPackageManager() {
    return new PackageManager();
  }
}
