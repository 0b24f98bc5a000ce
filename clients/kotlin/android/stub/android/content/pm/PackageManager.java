package android.content.pm;

public class PackageManager {
  public PackageInfo getPackageInfo(String packageName, int flags) throws NameNotFoundException {
    if (!packageName.equals("com.example.app")) throw new NameNotFoundException();
    PackageInfo info = new PackageInfo();
    info.versionName = "1.4.0";
    return info;
  }

  public static class NameNotFoundException extends Exception {}
}
