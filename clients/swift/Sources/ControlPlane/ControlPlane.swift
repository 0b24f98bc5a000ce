/// The client that most apps need: one for the whole app.
///
///     ControlPlane.start(Options(key: "svp_…", url: "https://events.example.com"))
///     ControlPlane.track("app_opened")
///
/// What is tracked before `start` is dropped.
public enum ControlPlane {
    public static let shared = EventClient()

    public static func start(_ options: Options) { shared.start(options) }
    public static func track(_ name: String, _ props: [String: (any PropertyConvertible)?] = [:]) {
        shared.track(name, props)
    }
    public static func track(_ name: String, _ props: [String: PropertyValue]) { shared.track(name, props) }
    public static func screen(_ name: String) { shared.screen(name) }
    public static func identify(_ userId: String?) { shared.identify(userId) }
    public static var anonymousId: String? { shared.anonymousId }
    public static func reset() { shared.reset() }
    public static func flush() { shared.flush() }
    public static func optOut() { shared.optOut() }
    public static func optIn() { shared.optIn() }
}
