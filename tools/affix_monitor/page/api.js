// SPDX-License-Identifier: MIT
// Requests to the monitor. Tokens are asked for when one is needed, kept in memory only, and gone
// with the page.

import { ask_token } from "./dialogs.js";

const patience_ms = 15_000;
let read_token = null;
let operate_token = null;
let asking = null;

/// A refusal by the monitor (`status` is HTTP's) or, with status 0, a missing answer.
export class RequestError extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

async function send(path, options, signal) {
  const timeout = AbortSignal.timeout(patience_ms);
  let response;
  let body;
  try {
    response = await fetch(path, { ...options, cache: "no-store", signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    body = await response.json();
  } catch (failure) {
    if (signal?.aborted) {
      throw failure;
    }
    throw new RequestError(response && !timeout.aborted ? response.status : 0,
      timeout.aborted ? "The monitor does not answer in time." : "The monitor does not answer.");
  }
  if (!response.ok) {
    throw new RequestError(response.status, body.error ?? `The monitor answered ${response.status}.`);
  }
  return body;
}

/// One question at a time, however many requests were refused for want of the token.
async function new_read_token(refused) {
  if (read_token === refused) {
    asking ??= ask_token("Read token", "This monitor shows what it knows to those who have its read token.", refused !== null)
      .finally(() => { asking = null; });
    read_token = await asking;
  }
  if (read_token === null) {
    throw new RequestError(401, "A read token is needed to see this.");
  }
}

/// Values that are null, undefined or empty are left out.
export function query(parameters) {
  return new URLSearchParams(Object.entries(parameters)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")).toString();
}

/// An answer of /api/`name`. Rejects with a RequestError, or with an AbortError after `signal`.
export async function get(name, parameters = {}, signal = undefined) {
  const text = query(parameters);
  const path = text ? `/api/${name}?${text}` : `/api/${name}`;
  for (;;) {
    const token = read_token;
    try {
      return await send(path, token === null ? {} : { headers: { authorization: `Bearer ${token}` } }, signal);
    } catch (failure) {
      if (failure.status !== 401) {
        throw failure;
      }
      await new_read_token(token);
    }
  }
}

/// Has something changed, with the operate token; null when no token was given.
async function change(path, body) {
  let wrong = false;
  for (;;) {
    operate_token ??= await ask_token("Operate token", "Changes need the engine's operate token. It is kept until this page is closed.", wrong);
    if (operate_token === null) {
      return null;
    }
    try {
      return await send(path, {
        method: "POST",
        headers: { authorization: `Bearer ${operate_token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    } catch (failure) {
      if (failure.status !== 401) {
        throw failure;
      }
      operate_token = null;
      wrong = true;
    }
  }
}

/// Has the engine carry out an administration command; null when no token was given. Rejects with a
/// RequestError where the monitor did not pass it on.
export const act = (command, session, given, engine = null) =>
  change("/api/action", { command, ...(session === null ? {} : { session }), ...(engine === null ? {} : { engine }), arguments: given });

/// The same of what the monitor itself does about alerts.
export const act_on_alerts = (wanted) => change("/api/alert", wanted);

export const has_operate_token = () => operate_token !== null;

export function forget_operate_token() {
  operate_token = null;
}
