// SPDX-License-Identifier: MIT
// Includes the whole net layer.
#pragma once

#include "affix/net/address.hpp"
#include "affix/net/handler.hpp"
#include "affix/net/listener.hpp"
#include "affix/net/notice_socket.hpp"
#include "affix/net/reactor.hpp"
#include "affix/net/socket.hpp"
#include "affix/net/socket_options.hpp"
#include "affix/net/waker.hpp"
#include "affix/os/clock.hpp"
