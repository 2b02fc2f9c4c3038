// SPDX-License-Identifier: MIT
// Includes the whole tls layer.
#pragma once

#include "affix/tls/password_hash.hpp"
#include "affix/tls/tls_endpoint.hpp"
#include "affix/tls/tls_peer.hpp"
#include "affix/tls/tls_reactor.hpp"
#include "affix/tls/tls_settings.hpp"
