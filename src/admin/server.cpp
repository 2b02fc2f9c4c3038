// SPDX-License-Identifier: MIT
// The port's public interface.
#include "affix/admin/server.hpp"

#include "admin/service.hpp"

#include <utility>

namespace affix::inline v0::admin {

Server::Server(std::unique_ptr<Service> service) : service_(std::move(service)) {}

Server::~Server() = default;

std::expected<std::unique_ptr<Server>, base::Error> Server::open(
    const config::ManagementSettings& settings, engine::Engine& engine, Program& program,
    const ServerOptions& options) {
  auto service = Service::open(settings, engine, program, options);
  if (!service) {
    return std::unexpected(service.error());
  }
  return std::unique_ptr<Server>(new Server(std::move(*service)));
}

const net::Address& Server::address() const noexcept {
  return service_->address();
}

}  // namespace affix::inline v0::admin
