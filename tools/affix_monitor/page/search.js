// SPDX-License-Identifier: MIT
// One search through the journals, request by request: the monitor searches for a moment and
// answers with a cursor, and this goes on until enough is found, all is searched, or it is stopped.

import { get } from "./api.js";

const page_size = 100;
const follow_requests_max = 5;  // A longer burst is not shown whole, and the page says so.

export class MessageSearch {
  /// `parameters` are those of /api/messages. `on_change()` is called after each answer and at the
  /// end; what it then may show are the members below.
  constructor(parameters, on_change) {
    this.parameters = parameters;
    this.on_change = on_change;
    this.messages = [];  // The newest first.
    this.ids = new Set();
    this.cursor = null;
    this.searched_to_ns = 0;
    this.problems = [];
    this.left_out = false;  // More was written between two looks than can be followed.
    this.failure = null;
    this.running = false;
    this.complete = false;
    this.stopping = new AbortController();
  }

  /// Searches on until `wanted` more messages are found.
  async go_on(wanted = page_size) {
    if (this.running || this.complete) {
      return;
    }
    this.running = true;
    this.failure = null;
    this.stopping = new AbortController();
    const enough = this.messages.length + wanted;
    this.on_change();
    try {
      do {
        const answer = await get("messages", { ...this.parameters, limit: Math.min(wanted, 500), cursor: this.cursor },
          this.stopping.signal);
        this.take(answer, false);
        this.cursor = answer.cursor;
        this.searched_to_ns = answer.searched_to_ns;
        this.complete = answer.cursor === null;
        this.on_change();
      } while (!this.complete && this.messages.length < enough && !this.stopping.signal.aborted);
    } catch (failure) {
      if (!this.stopping.signal.aborted) {
        this.failure = failure;
        if (failure.status === 410) {
          this.complete = true;  // Going on is not possible; a new search is.
        }
      }
    }
    this.running = false;
    this.on_change();
  }

  stop() {
    this.stopping.abort();
  }

  /// Adds what was written since the newest message found. A search that runs is left alone.
  async follow() {
    if (this.running || this.following) {
      return;
    }
    this.following = true;
    try {
      let cursor = null;
      const newest = this.messages[0]?.time;
      for (let i = 0; i < follow_requests_max; i += 1) {
        const answer = await get("messages", { ...this.parameters, from: newest ?? this.parameters.from, limit: 500, cursor });
        this.take(answer, true);
        cursor = answer.cursor;
        if (cursor === null || !newest) {
          break;
        }
      }
      this.left_out ||= cursor !== null && newest !== undefined;
      this.failure = null;
      this.on_change();
    } catch (failure) {
      this.failure = failure;
      this.on_change();
    }
    this.following = false;
  }

  take(answer, newer) {
    const fresh = answer.messages.filter(({ id }) => !this.ids.has(id));
    for (const { id } of fresh) {
      this.ids.add(id);
    }
    if (newer) {
      // Answers that follow each other go further back: each belongs after the one before.
      const all = [...fresh, ...this.messages];
      all.sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
      this.messages = all;
    } else {
      this.messages.push(...fresh);
    }
    // A rejection that is found may tell of a message that was found before it.
    for (const message of answer.messages) {
      const other = message.rejects && this.messages.find(({ id }) => id === message.rejects);
      if (other && !other.rejected_by) {
        other.rejected_by = message.id;
        other.problem = true;
        other.reason ||= message.reason;
      }
    }
    this.problems = answer.problems ?? [];
  }
}
