// SPDX-License-Identifier: MIT
// A small dictionary with an example of each element that a validator checks, in QuickFIX's XML.
#pragma once

#include <string>
#include <string_view>

namespace affix::support {

/// Header and trailer as in every version, with a group in the header and data in the
/// trailer.
inline constexpr std::string_view frame_xml = R"(
<header>
 <field name='BeginString' required='Y'/><field name='BodyLength' required='Y'/>
 <field name='MsgType' required='Y'/><field name='SenderCompID' required='Y'/>
 <field name='TargetCompID' required='Y'/><field name='MsgSeqNum' required='Y'/>
 <field name='PossDupFlag' required='N'/><field name='SendingTime' required='Y'/>
 <field name='OnBehalfOfCompID' required='N'/>
 <group name='NoHops' required='N'><field name='HopCompID' required='Y'/><field name='HopRefID' required='N'/></group>
</header>
<trailer>
 <field name='SignatureLength' required='N'/><field name='Signature' required='N'/>
 <field name='CheckSum' required='Y'/>
</trailer>)";

inline constexpr std::string_view frame_fields_xml = R"(
 <field number='8' name='BeginString' type='STRING'/><field number='9' name='BodyLength' type='LENGTH'/>
 <field number='10' name='CheckSum' type='STRING'/><field number='34' name='MsgSeqNum' type='SEQNUM'/>
 <field number='35' name='MsgType' type='STRING'><value enum='0' description='HEARTBEAT'/></field>
 <field number='43' name='PossDupFlag' type='BOOLEAN'/><field number='49' name='SenderCompID' type='STRING'/>
 <field number='52' name='SendingTime' type='UTCTIMESTAMP'/><field number='56' name='TargetCompID' type='STRING'/>
 <field number='89' name='Signature' type='DATA'/><field number='93' name='SignatureLength' type='LENGTH'/>
 <field number='115' name='OnBehalfOfCompID' type='STRING'/>
 <field number='627' name='NoHops' type='NUMINGROUP'/><field number='628' name='HopCompID' type='STRING'/>
 <field number='630' name='HopRefID' type='SEQNUM'/>)";

inline constexpr std::string_view body_xml = R"(
<messages>
 <message name='Heartbeat' msgtype='0' msgcat='admin'><field name='TestReqID' required='N'/></message>
 <message name='Order' msgtype='D' msgcat='app'>
  <field name='ClOrdID' required='Y'/><field name='Side' required='Y'/><field name='Qty' required='Y'/>
  <field name='Price' required='N'/><field name='Account' required='N'/><field name='ExecInst' required='N'/>
  <field name='Codes' required='N'/><field name='Kind' required='N'/><field name='Open' required='N'/>
  <component name='Parties' required='N'/>
  <field name='TransactTime' required='N'/><field name='Text' required='N'/>
 </message>
 <message name='List' msgtype='XLIST' msgcat='app'><field name='Account' required='Y'/></message>
 <message name='Two' msgtype='AE' msgcat='app'><field name='Account' required='N'/></message>
</messages>
<components>
 <component name='Parties'>
  <group name='NoPartyIDs' required='N'>
   <field name='PartyID' required='Y'/><field name='PartyRole' required='Y'/><field name='PartyNote' required='N'/>
   <group name='NoSubIDs' required='N'><field name='SubID' required='Y'/><field name='SubType' required='N'/></group>
  </group>
 </component>
</components>)";

inline constexpr std::string_view body_fields_xml = R"(
 <field number='1' name='Account' type='STRING'/><field number='11' name='ClOrdID' type='STRING'/>
 <field number='18' name='ExecInst' type='MULTIPLECHARVALUE'><value enum='A' description='A'/><value enum='B' description='B'/></field>
 <field number='38' name='Qty' type='QTY'/><field number='44' name='Price' type='PRICE'/>
 <field number='54' name='Side' type='CHAR'><value enum='1' description='BUY'/><value enum='2' description='SELL'/></field>
 <field number='58' name='Text' type='STRING'/><field number='60' name='TransactTime' type='UTCTIMESTAMP'/>
 <field number='99' name='Elsewhere' type='INT'/><field number='112' name='TestReqID' type='STRING'/>
 <field number='448' name='PartyID' type='STRING'/><field number='452' name='PartyRole' type='INT'>
  <value enum='1' description='FIRM'/><value enum='12' description='TRADER'/></field>
 <field number='453' name='NoPartyIDs' type='NUMINGROUP'/><field number='447' name='PartyNote' type='STRING'/>
 <field number='523' name='SubID' type='STRING'/><field number='802' name='NoSubIDs' type='NUMINGROUP'/>
 <field number='803' name='SubType' type='INT'/>
 <field number='900' name='Codes' type='MULTIPLESTRINGVALUE'><value enum='AA' description='A'/><value enum='B' description='B'/><value enum='LONGER-THAN-8' description='C'/></field>
 <field number='901' name='Kind' type='STRING'><value enum='SHORT' description='A'/><value enum='LONGER-THAN-8' description='C'/></field>
 <field number='902' name='Open' type='INT'/>
 <field number='5001' name='VenueTag' type='INT'/>
 <field number='70001' name='HugeTag' type='INT'/>)";

inline std::string small_xml() {
  return "<fix major='4' minor='4' type='FIX'>" + std::string(frame_xml) + std::string(body_xml) +
         "<fields>" + std::string(frame_fields_xml) + std::string(body_fields_xml) +
         "</fields></fix>";
}

}  // namespace affix::support
