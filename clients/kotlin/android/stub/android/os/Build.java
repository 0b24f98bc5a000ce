package android.os;

public class Build {
  public static class VERSION {
    public static final String RELEASE = System.getProperty("android.release", "14");
  }
}
