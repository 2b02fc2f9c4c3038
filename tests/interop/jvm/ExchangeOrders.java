// SPDX-License-Identifier: MIT
// An exchange's orders and the reports about them, without a book: an order is filled as the fill mode says, so
// that a test knows each report beforehand. FIX.4.2 has ExecTransType and reports fills by OrdStatus; later
// versions have ExecType=Trade.
package interop;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class ExchangeOrders {
    private static final class Order {
        String id;
        String clOrdId;
        String symbol;
        String side;
        String ordType;
        String price;
        long quantity;
        long filled;
        BigDecimal paid = BigDecimal.ZERO;
        boolean closed;
    }

    private static final List<String> MODES = List.of("in_two", "at_once", "half", "nothing");
    private static final String MARKET_PRICE = "100";

    private final boolean fix42;
    private final Map<String, Order> orders = new HashMap<>();
    private String mode = "in_two";
    private long nextOrder = 1;
    private long nextExecution = 1;

    ExchangeOrders(String beginString) {
        fix42 = beginString.equals("FIX.4.2");
    }

    void fill(String newMode) {
        if (!MODES.contains(newMode)) {
            throw new IllegalArgumentException("fill takes one of " + MODES);
        }
        mode = newMode;
    }

    /** What is to be sent, in order. */
    List<Fields> answer(Fields request) {
        return switch (request.type()) {
            case "D" -> answerNew(request);
            case "F" -> List.of(answerCancel(request));
            case "G" -> List.of(answerReplace(request));
            case "H" -> List.of(orders.containsKey(request.get(11)) ? report(orders.get(request.get(11)), "I")
                    : rejected(request, 5, "Unknown order"));
            default -> List.of(Fields.of("j").add(45, request.get(34)).add(372, request.type()).add(380, "3")
                    .add(58, "Unsupported Message Type"));
        };
    }

    List<Fields> execute(String clOrdId, long quantity) {
        Order order = orders.get(clOrdId);
        if (order == null || order.closed || quantity < 1 || quantity > order.quantity - order.filled) {
            throw new IllegalArgumentException("no open order " + clOrdId + " with so much left");
        }
        return List.of(execution(order, quantity));
    }

    private List<Fields> answerNew(Fields request) {
        Order order = new Order();
        order.clOrdId = request.get(11);
        order.symbol = request.get(55);
        order.side = request.get(54);
        order.ordType = request.get(40);
        order.price = request.get(44);
        order.quantity = wholeQuantity(request.get(38));
        if (orders.containsKey(order.clOrdId)) {
            return List.of(rejected(request, 6, "Duplicate ClOrdID"));
        }
        order.id = "J" + nextOrder++;
        order.closed = true;  // Until it is taken.
        orders.put(order.clOrdId, order);
        if (order.symbol.isEmpty() || order.symbol.startsWith("REJECT")) {
            return List.of(rejected(request, 1, "Unknown symbol"));
        }
        if (order.quantity == 0 || order.ordType.equals("2") && order.price.isEmpty()) {
            return List.of(rejected(request, 0, "OrderQty or Price is not right"));
        }
        order.closed = false;
        List<Fields> answers = new ArrayList<>(List.of(report(order, "0")));
        if (mode.equals("at_once")) {
            answers.add(execution(order, order.quantity));
        } else if (!mode.equals("nothing")) {
            answers.add(execution(order, (order.quantity + 1) / 2));
            if (mode.equals("in_two") && order.filled < order.quantity) {
                answers.add(execution(order, order.quantity - order.filled));
            }
        }
        return answers;
    }

    private Fields answerCancel(Fields request) {
        Order order = orders.get(request.get(41));
        if (order == null || order.closed) {
            return cancelRejected(request, order, "1", "2");
        }
        order.clOrdId = request.get(11);
        orders.put(order.clOrdId, order);
        order.closed = true;
        return report(order, "4").add(41, request.get(41));
    }

    private Fields answerReplace(Fields request) {
        Order order = orders.get(request.get(41));
        long quantity = wholeQuantity(request.get(38));
        if (order == null || order.closed || quantity <= order.filled) {
            return cancelRejected(request, order, "2", order != null && !order.closed ? "0" : "2");
        }
        order.clOrdId = request.get(11);
        orders.put(order.clOrdId, order);
        order.quantity = quantity;
        order.price = request.get(44).isEmpty() ? order.price : request.get(44);
        return report(order, "5").add(41, request.get(41));
    }

    private Fields execution(Order order, long quantity) {
        String price = order.price.isEmpty() ? MARKET_PRICE : order.price;
        order.filled += quantity;
        order.paid = order.paid.add(new BigDecimal(price).multiply(BigDecimal.valueOf(quantity)));
        order.closed = order.filled == order.quantity;
        return report(order, "F").add(32, quantity).add(31, price);
    }

    private Fields report(Order order, String execType) {
        String status = order.filled == 0 ? "0" : order.filled == order.quantity ? "2" : "1";
        if (order.closed && order.filled < order.quantity) {
            status = "4";
        }
        Fields message = Fields.of("8").add(37, order.id).add(11, order.clOrdId).add(17, "E" + nextExecution++);
        if (fix42) {
            message.add(20, execType.equals("I") ? "3" : "0");
            message.add(150, execType.equals("F") || execType.equals("I") ? status : execType);
            status = execType.equals("5") ? "5" : status;
        } else {
            message.add(150, execType);
        }
        message.add(39, status).add(55, order.symbol).add(54, order.side).add(38, order.quantity).add(40, order.ordType);
        if (!order.price.isEmpty()) {
            message.add(44, order.price);
        }
        BigDecimal average = order.filled == 0 ? BigDecimal.ZERO
                : order.paid.divide(BigDecimal.valueOf(order.filled), MathContext.DECIMAL64);
        return message.add(151, order.closed ? 0 : order.quantity - order.filled).add(14, order.filled)
                .add(6, average.stripTrailingZeros().toPlainString()).add(60, OrderRequests.now());
    }

    private Fields rejected(Fields request, int reason, String text) {
        Fields message = Fields.of("8").add(37, "NONE").add(11, request.get(11)).add(17, "E" + nextExecution++);
        if (fix42) {
            message.add(20, "0");
        }
        return message.add(150, "8").add(39, "8").add(55, request.get(55).isEmpty() ? "NONE" : request.get(55))
                .add(54, request.get(54)).add(151, 0).add(14, 0).add(6, 0).add(103, reason).add(58, text)
                .add(60, OrderRequests.now());
    }

    private static Fields cancelRejected(Fields request, Order order, String responseTo, String status) {
        return Fields.of("9").add(37, order == null ? "NONE" : order.id).add(11, request.get(11))
                .add(41, request.get(41)).add(39, order == null ? "8" : status).add(434, responseTo)
                .add(102, order == null ? 1 : 0);
    }

    /** 0 when the text is no positive whole number ("100" and "100.00" are). */
    private static long wholeQuantity(String text) {
        try {
            return Math.max(0, new BigDecimal(text).longValueExact());
        } catch (ArithmeticException | NumberFormatException notWhole) {
            return 0;
        }
    }
}
