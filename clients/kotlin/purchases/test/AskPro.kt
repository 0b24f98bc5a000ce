package controlplane.purchases

import java.io.File
import java.util.concurrent.CountDownLatch

/** `url folder userId longestAgeMs`: asks for `pro` and says what the answer is. */
object AskPro {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val options = PurchasesOptions("svp_test", arguments[0])
        options.directory = File(arguments[1])
        options.longestAgeMs = arguments[3].toLong()
        val answered = CountDownLatch(1)
        Purchases(options).named(Who(arguments[2], "anon-0001"), "pro") {
            println(it?.let { pro -> "${pro.entitled} ${pro.status} ${pro.productId} ${pro.ageMs > 0}" })
            answered.countDown()
        }
        answered.await()
    }
}
