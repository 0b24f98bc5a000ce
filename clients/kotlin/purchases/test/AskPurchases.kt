package controlplane.purchases

import java.io.File
import java.util.concurrent.CountDownLatch

/** A line of the input is a question, a line of the output its answer: all in one process. */
object AskPurchases {
    @JvmStatic
    fun main(arguments: Array<String>) = generateSequence(::readLine).forEach { answer(it.split(" ")) }

    private fun answer(words: List<String>) {
        val (question, url, folder, id, longestAgeMs) = words
        val options = PurchasesOptions("svp_test", url)
        options.directory = File(folder)
        options.longestAgeMs = longestAgeMs.toLong()
        val purchases = Purchases(options)
        val answered = CountDownLatch(1)
        val say = { line: String? ->
            println(line)
            answered.countDown()
        }
        if (question == "bought") {
            purchases.handOver(Who(id, "anon-0001"), "token-1", "spring") {
                say(it?.let { pro -> "${pro.entitled} ${pro.status} ${pro.productId}" })
            }
        } else if (question == "pro") {
            purchases.named(Who(id, "anon-0001"), "pro") {
                say(it?.let { pro -> "${pro.entitled} ${pro.status} ${pro.productId} ${pro.ageMs > 0}" })
            }
        } else {
            purchases.offerings(Who("user-1", id), mapOf("platform" to "android"), question == "shown") {
                say(it?.let { told -> "${told.current?.name} ${told.current?.packages?.first()?.productIds} " +
                    "${told.current?.metadata} ${told.all.size} ${told.chosenBy?.variant} ${told.ageMs > 0}" })
            }
        }
        answered.await()
    }
}
