// SPDX-License-Identifier: MIT
// A trader's commands: order ID SYMBOL buy|sell QUANTITY PRICE|- limit|market; cancel ID ORIGINAL;
// replace ID ORIGINAL QUANTITY PRICE; status ID; market_data ID snapshot|subscribe|unsubscribe DEPTH
// full|incremental|- ENTRYTYPES SYMBOL...
package interop;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class OrderRequests {
    private record Sent(String symbol, String side, String quantity, String ordType) {}

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HH:mm:ss.SSS");

    private final Engine engine;
    private final Map<String, Sent> orders = new HashMap<>();

    OrderRequests(Engine engine) {
        this.engine = engine;
    }

    static String now() {
        return LocalDateTime.now(ZoneOffset.UTC).format(TIME);
    }

    boolean run(List<String> words, String target) throws Exception {
        Fields message = switch (words.get(0)) {
            case "order" -> order(words);
            case "cancel" -> cancel(words);
            case "replace" -> replace(words);
            case "status" -> described(Fields.of("H").add(11, words.get(1)), find(words.get(1)));
            case "market_data" -> marketData(words);
            default -> null;
        };
        if (message == null) {
            return false;
        }
        engine.send(target, message);
        return true;
    }

    private Fields order(List<String> words) {
        Sent sent = new Sent(words.get(2), words.get(3).equals("buy") ? "1" : "2", words.get(4),
                words.get(6).equals("market") ? "1" : "2");
        orders.put(words.get(1), sent);
        Fields message = described(Fields.of("D").add(11, words.get(1)).add(21, "1"), sent)
                .add(60, now()).add(38, sent.quantity).add(40, sent.ordType);
        return words.get(5).equals("-") ? message : message.add(44, words.get(5));
    }

    private Fields cancel(List<String> words) {
        Sent sent = find(words.get(2));
        orders.put(words.get(1), sent);
        return described(Fields.of("F").add(41, words.get(2)).add(11, words.get(1)), sent)
                .add(60, now()).add(38, sent.quantity);
    }

    private Fields replace(List<String> words) {
        Sent before = find(words.get(2));
        Sent sent = new Sent(before.symbol, before.side, words.get(3), before.ordType);
        orders.put(words.get(1), sent);
        return described(Fields.of("G").add(41, words.get(2)).add(11, words.get(1)).add(21, "1"), sent)
                .add(60, now()).add(38, sent.quantity).add(40, sent.ordType).add(44, words.get(4));
    }

    private static Fields marketData(List<String> words) {
        Fields message = Fields.of("V").add(262, words.get(1))
                .add(263, List.of("snapshot", "subscribe", "unsubscribe").indexOf(words.get(2))).add(264, words.get(3));
        if (!words.get(4).equals("-")) {
            message.add(265, List.of("full", "incremental").indexOf(words.get(4)));
        }
        message.add(267, words.get(5).length());
        for (char type : words.get(5).toCharArray()) {
            message.add(269, String.valueOf(type));
        }
        message.add(146, words.size() - 6L);
        for (String symbol : words.subList(6, words.size())) {
            message.add(55, symbol);
        }
        return message;
    }

    private static Fields described(Fields message, Sent sent) {
        return message.add(55, sent.symbol).add(54, sent.side);
    }

    private Sent find(String id) {
        Sent sent = orders.get(id);
        if (sent == null) {
            throw new IllegalArgumentException("no order " + id + " was sent by this process");
        }
        return sent;
    }
}
