// SPDX-License-Identifier: MIT
// Includes the whole replication layer.
#pragma once

#include "affix/replication/election_entry.hpp"
#include "affix/replication/election_store.hpp"
#include "affix/replication/file_election_store.hpp"
#include "affix/replication/member.hpp"
#include "affix/replication/node.hpp"
#include "affix/replication/reasons.hpp"
#include "affix/replication/shipper.hpp"
#include "affix/replication/standby.hpp"
