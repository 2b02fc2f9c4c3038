// SPDX-License-Identifier: MIT
// The testing kit in one include: for tests of sessions, and of applications with the engine below
// them.
#pragma once

#include "affix/testing/manual_clock.hpp"
#include "affix/testing/message_text.hpp"
#include "affix/testing/scripted_peer.hpp"
#include "affix/testing/session_endpoint.hpp"
#include "affix/testing/session_pair.hpp"
#include "affix/testing/virtual_network.hpp"
#include "affix/testing/virtual_peer.hpp"
