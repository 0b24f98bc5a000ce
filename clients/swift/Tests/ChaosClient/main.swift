import ControlPlane
import Foundation

// url key folder first count: tracks `count` events numbered from `first`, says of each that `track`
// has returned, and runs until it is killed. With count 0 it ends when everything is delivered.
// Written at once: what a buffer holds is lost with the process.
@Sendable func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
let arguments = CommandLine.arguments
guard arguments.count == 6, let first = Int(arguments[4]), let count = Int(arguments[5]) else {
    say("usage: ChaosClient url key folder first count")
    exit(2)
}
var options = Options(key: arguments[2], url: arguments[1])
options.directory = URL(fileURLWithPath: arguments[3])
options.flushInterval = 0.25
options.onError = { error in say("error \(error.code.rawValue)") }
let client = EventClient()
client.start(options)

for number in first..<(first + count) {
    client.track("chaos", ["n": .integer(number), "emoji": "👩‍👩‍👧"])
    say("tracked \(number)")
    if number % 4 == 0 { client.flush() }
    usleep(UInt32.random(in: 0...5_000))
}
let deadline = Date().addingTimeInterval(count > 0 ? 20 : 60)
while Date() < deadline {
    if count == 0 {
        let flushed = DispatchSemaphore(value: 0)
        client.flush { flushed.signal() }
        flushed.wait()
        if client.queuedCount == 0 { exit(0) }
    }
    usleep(50_000)
}
say("left \(client.queuedCount)")
exit(1)
