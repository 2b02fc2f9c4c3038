// SPDX-License-Identifier: MIT
// jspurefix as an acceptor that answers every application message with a copy of its body. Its session takes any
// identity (TargetCompID is `*`); those that were not named are refused where it asks the application.
'use strict'

const net = require('node:net')
const path = require('node:path')
const process = require('node:process')
require('reflect-metadata')
const { AsciiSession, EmptyLogFactory, SessionLauncher } = require('jspurefix')

function parseOptions (words) {
  const options = { target: [] }
  for (let at = 0; at < words.length; at += 2) {
    const name = words[at].replace(/^--/, '')
    if (words[at + 1] === undefined || !['begin_string', 'sender', 'target', 'directory', 'dictionaries'].includes(name)) {
      throw new Error(`what is ${words[at]}?`)
    }
    if (name === 'target') {
      options.target.push(words[at + 1])
    } else {
      options[name] = words[at + 1]
    }
  }
  return options
}

// jspurefix listens at a port of every address, and does not say at which: here it gets one of loopback.
function listenOnLoopback () {
  const listen = net.Server.prototype.listen
  net.Server.prototype.listen = function () {
    this.once('listening', () => console.log(`listening on 127.0.0.1:${this.address().port}`))
    return listen.call(this, { port: 0, host: '127.0.0.1' })
  }
}

class Echo extends AsciiSession {
  constructor (config, options) {
    super(config)
    this.options = options
  }

  onApplicationMsg (type, view) {
    const message = view.toObject()
    delete message.StandardHeader
    delete message.StandardTrailer
    this.send(type, message)
  }

  onLogon (view) {
    return this.options.target.includes(view.getString('SenderCompID')) &&
      view.getString('TargetCompID') === this.options.sender
  }

  onReady () {}
  onStopped () {}
  onDecoded () {}
  onEncoded () {}
}

class Launcher extends SessionLauncher {
  constructor (options, description) {
    super(null, description, new EmptyLogFactory())
    this.options = options
  }

  makeFactory () {
    return { makeSession: (config) => new Echo(config, this.options) }
  }
}

function main () {
  const options = parseOptions(process.argv.slice(2))
  listenOnLoopback()
  const launcher = new Launcher(options, {
    application: {
      type: 'acceptor',
      name: 'echo',
      tcp: { host: '127.0.0.1', port: 1 },
      protocol: 'ascii',
      dictionary: path.join(options.dictionaries, 'FIX44.xml')
    },
    EncryptMethod: 0,
    ResetSeqNumFlag: false,
    HeartBtInt: 30,
    SenderCompId: options.sender,
    TargetCompID: '*',
    BeginString: options.begin_string,
    store: { type: 'file', directory: options.directory }
  })
  launcher.run().catch((fault) => {
    console.error(fault)
    process.exit(1)
  })
  process.stdin.on('end', () => process.exit(0))
  process.stdin.resume()
}

main()
