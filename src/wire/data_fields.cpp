// SPDX-License-Identifier: MIT
// Length and data fields of FIX 4.0 to FIX Latest: a property of the wire format, since without
// them a SOH inside data could not be distinguished from a field's end.
#include "affix/wire/index.hpp"

namespace affix::inline v0::wire {

namespace {

struct KnownPair {
  std::uint32_t length_tag;
  std::uint32_t data_tag;
};

// The tag of most data fields follows that of their length field; exceptions are 93/89, 1525/1527,
// 2372/2371, 43109/42684.
constexpr KnownPair known_pairs[] = {
    // SecureData, Signature, RawData, XmlData.
    {90, 91},
    {93, 89},
    {95, 96},
    {212, 213},
    // Encoded texts of FIX.4.2 to FIX.5.0.
    {348, 349},
    {350, 351},
    {352, 353},
    {354, 355},
    {356, 357},
    {358, 359},
    {360, 361},
    {362, 363},
    {364, 365},
    {445, 446},
    {618, 619},
    {621, 622},
    // FIX.5.0 SP1 and SP2.
    {1184, 1185},
    {1277, 1278},
    {1280, 1281},
    {1282, 1283},
    {1397, 1398},
    {1401, 1402},
    {1403, 1404},
    {1468, 1469},
    {1525, 1527},
    {1578, 1579},
    {1620, 1621},
    {1664, 1665},
    {1678, 1697},
    {1733, 1734},
    {1871, 1872},
    {1874, 1875},
    {2072, 2073},
    {2074, 2075},
    {2111, 2112},
    {2179, 2180},
    {2287, 2288},
    {2351, 2352},
    {2372, 2371},
    {2481, 2482},
    {2494, 2493},
    {2522, 2521},
    {2637, 2638},
    {2651, 2652},
    {2665, 2666},
    {2715, 2716},
    {2718, 2719},
    {2721, 2722},
    {2797, 2798},
    {2802, 2801},
    {2809, 2808},
    {2815, 2814},
    {2971, 2972},
    // Instrument extensions, numbered from 40000.
    {40004, 40005},
    {40008, 40009},
    {40978, 40979},
    {40980, 40981},
    {40982, 40983},
    {40984, 40985},
    {40986, 40987},
    {40988, 40989},
    {41083, 41084},
    {41101, 41102},
    {41107, 41108},
    {41256, 41257},
    {41320, 41321},
    {41324, 41325},
    {41458, 41459},
    {41476, 41477},
    {41482, 41483},
    {41653, 41654},
    {41710, 41711},
    {41806, 41807},
    {41811, 41812},
    {41873, 41874},
    {41969, 41970},
    {42025, 42026},
    {42171, 42172},
    {42451, 42452},
    {42652, 42653},
    {42947, 42948},
    {43109, 42684},
    {43110, 42486},
    {43111, 42982},
};

[[nodiscard]] constexpr DataFields make_standard() noexcept {
  DataFields fields = DataFields::none();
  for (const KnownPair pair : known_pairs) {
    fields.add(pair.length_tag, pair.data_tag);
  }
  return fields;
}

}  // namespace

constinit const DataFields DataFields::standard_ = make_standard();

}  // namespace affix::inline v0::wire
