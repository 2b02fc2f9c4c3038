// SPDX-License-Identifier: MIT
// An exchange: orders of each session, and the commands `fill MODE` and `execute CLORDID QUANTITY`
// about the current one.
package interop;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class Exchange implements Answers {
    private final PeerOptions options;
    private final Engine engine;
    private final EventPrinter printer;
    private final Map<String, ExchangeOrders> orders = new HashMap<>();

    Exchange(PeerOptions options, Engine engine, EventPrinter printer) {
        this.options = options;
        this.engine = engine;
        this.printer = printer;
    }

    @Override
    public synchronized boolean run(List<String> words, String target) throws Exception {
        switch (words.get(0)) {
            case "fill" -> {
                ordersOf(target).fill(words.get(1));
                printer.print("fill", words.get(1));
            }
            case "execute" -> sendAll(ordersOf(target).execute(words.get(1), Long.parseLong(words.get(2))), target);
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Reports keep their order, as nothing comes in between. */
    @Override
    public synchronized void take(Fields message, String target) throws Exception {
        sendAll(ordersOf(target).answer(message), target);
    }

    private ExchangeOrders ordersOf(String target) {
        return orders.computeIfAbsent(target, unused -> new ExchangeOrders(options.beginString));
    }

    private void sendAll(List<Fields> messages, String target) throws Exception {
        for (Fields message : messages) {
            engine.send(target, message);
        }
    }
}
