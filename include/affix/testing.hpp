// SPDX-License-Identifier: MIT
// Includes the whole testing kit: for tests of sessions, and of applications together with the
// engine.
#pragma once

#include "affix/testing/link_conditions.hpp"
#include "affix/testing/manual_clock.hpp"
#include "affix/testing/message_text.hpp"
#include "affix/testing/scripted_peer.hpp"
#include "affix/testing/session_endpoint.hpp"
#include "affix/testing/session_pair.hpp"
#include "affix/testing/virtual_network.hpp"
#include "affix/testing/virtual_peer.hpp"
