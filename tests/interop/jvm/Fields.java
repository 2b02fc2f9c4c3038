// SPDX-License-Identifier: MIT
// A message as its fields in order, without BodyLength and CheckSum: what commands, orders and engines
// hand to one another. Repeated tags are groups.
package interop;

import java.util.ArrayList;
import java.util.List;

final class Fields {
    record Field(int tag, String value) {}

    static final char SOH = '\001';

    final List<Field> all = new ArrayList<>();

    static Fields of(String type) {
        return new Fields().add(35, type);
    }

    /** Fields of `35=X|TAG=VALUE|...`; also of a whole message with SOH between. */
    static Fields parse(String text) {
        Fields fields = new Fields();
        for (String field : text.split(text.indexOf(SOH) >= 0 ? String.valueOf(SOH) : "\\|")) {
            if (field.isEmpty()) {
                continue;
            }
            int equals = field.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("a field without '=': " + field);
            }
            fields.add(Integer.parseInt(field.substring(0, equals)), field.substring(equals + 1));
        }
        return fields;
    }

    Fields add(int tag, String value) {
        all.add(new Field(tag, value));
        return this;
    }

    Fields add(int tag, long value) {
        return add(tag, Long.toString(value));
    }

    /** The first value of `tag`, or an empty text. */
    String get(int tag) {
        for (Field field : all) {
            if (field.tag == tag) {
                return field.value;
            }
        }
        return "";
    }

    String type() {
        return get(35);
    }
}
