// SPDX-License-Identifier: MIT
// Includes what a serving program needs besides its application, and the engine.
#pragma once

#include "affix/engine.hpp"
#include "affix/service/admin_port.hpp"
#include "affix/service/etcd_election_store.hpp"
#include "affix/service/etcd_options.hpp"
#include "affix/service/event_log.hpp"
#include "affix/service/log_record.hpp"
#include "affix/service/log_sink.hpp"
#include "affix/service/pid_file.hpp"
#include "affix/service/service.hpp"
#include "affix/service/service_notice.hpp"
#include "affix/service/steps.hpp"
#include "affix/service/stop_signals.hpp"
