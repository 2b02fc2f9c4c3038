// SPDX-License-Identifier: MIT
// The ExecutionReport that every acceptor here answers an order with: that of `affix-lab bench server`.
package interop;

final class Report {
    private Report() {}

    static Fields of(Fields order, long number) {
        return Fields.of("8").add(37, number).add(11, order.get(11)).add(17, number).add(150, "0").add(39, "0")
                .add(55, order.get(55)).add(54, order.get(54)).add(38, order.get(38)).add(44, order.get(44))
                .add(151, order.get(38)).add(14, "0").add(6, "0").add(60, OrderRequests.now());
    }
}
