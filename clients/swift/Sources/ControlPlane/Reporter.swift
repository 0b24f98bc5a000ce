/// Tells the app what went wrong. What nobody listens for and a developer can mend is said once, with
/// `debug` each time.
struct Reporter: Sendable {
    private let onError: (@Sendable (ClientError) -> Void)?
    private let debug: Bool
    private let environment: any Environment
    private let said = Locked<Set<ClientError.Code>>([.storageUnavailable, .queueFull])

    init(_ options: Options, _ environment: any Environment) {
        onError = options.onError
        debug = options.debug
        self.environment = environment
    }

    func callAsFunction(_ error: ClientError) {
        // Under `debug` the line of a batch says it already.
        let isSaid = debug ? error.status == nil : onError == nil && said { $0.insert(error.code).inserted }
        if isSaid {
            let words = ["control-plane:", error.code.rawValue, error.message] + (error.server?.words ?? [])
            environment.warn(words.joined(separator: " "))
        }
        onError?(error)
    }
}
