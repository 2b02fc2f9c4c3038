// SPDX-License-Identifier: MIT
// Everything of the net layer.
#pragma once

#include "affix/net/address.hpp"
#include "affix/net/clock.hpp"
#include "affix/net/handler.hpp"
#include "affix/net/listener.hpp"
#include "affix/net/reactor.hpp"
#include "affix/net/socket.hpp"
#include "affix/net/tls_endpoint.hpp"
#include "affix/net/tls_peer.hpp"
#include "affix/net/tls_reactor.hpp"
#include "affix/net/tls_settings.hpp"
#include "affix/net/waker.hpp"
