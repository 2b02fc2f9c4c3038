// SPDX-License-Identifier: MIT
//! TrueFix as an acceptor that answers every application message with a copy of its body.

use std::io::Read;
use std::sync::{Arc, OnceLock};

use truefix::config::SessionSettings;
use truefix::core::BusinessReject;
use truefix::{Application, Engine, Field, Message, Monitor, SessionId};

struct Options {
    begin_string: String,
    sender: String,
    targets: Vec<String>,
    directory: String,
    dictionaries: String,
}

fn parse_options() -> Result<Options, String> {
    let mut options = Options {
        begin_string: String::new(),
        sender: String::new(),
        targets: Vec::new(),
        directory: String::new(),
        dictionaries: String::new(),
    };
    let mut words = std::env::args().skip(1);
    while let Some(name) = words.next() {
        let value = words.next().ok_or(format!("{name} has no value"))?;
        match name.as_str() {
            "--begin_string" => options.begin_string = value,
            "--sender" => options.sender = value,
            "--target" => options.targets.push(value),
            "--directory" => options.directory = value,
            "--dictionaries" => options.dictionaries = value,
            _ => return Err(format!("what is {name}?")),
        }
    }
    Ok(options)
}

/// Its engine must be told a port.
fn free_port() -> std::io::Result<u16> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

fn settings_text(options: &Options, port: u16) -> String {
    let mut text = format!(
        "[DEFAULT]\nConnectionType=acceptor\nBeginString={}\nSenderCompID={}\nNonStopSession=Y\n\
         SocketAcceptAddress=127.0.0.1\nSocketAcceptPort={port}\nSocketTcpNoDelay=Y\nFileStorePath={}\n\
         UseDataDictionary=Y\nDataDictionary={}/FIX44.xml\nValidateFieldsOutOfOrder=Y\nValidateFieldsHaveValues=Y\n\
         ValidateUserDefinedFields=Y\nAllowUnknownMsgFields=N\nCheckCompID=Y\nCheckLatency=Y\nMaxLatency=120\n\
         LogonTimeout=10\nLogoutTimeout=5\nHeartBtInt=30\n",
        options.begin_string, options.sender, options.directory, options.dictionaries
    );
    for target in &options.targets {
        text += &format!("[SESSION]\nTargetCompID={target}\n");
    }
    text
}

struct Echo {
    monitor: OnceLock<Monitor>,
}

#[async_trait::async_trait]
impl Application for Echo {
    async fn from_app(&self, message: &Message, id: &SessionId) -> Result<(), BusinessReject> {
        let mut copy = Message::new();
        copy.header.set(Field::string(35, message.msg_type().unwrap_or_default()));
        copy.body = message.body.clone();
        if let Some(monitor) = self.monitor.get() {
            monitor.send_app(id, copy).await;
        }
        Ok(())
    }
}

async fn run() -> Result<(), Box<dyn std::error::Error>> {
    let options = parse_options()?;
    let port = free_port()?;
    let settings = SessionSettings::parse(&settings_text(&options, port))?;
    let echo = Arc::new(Echo { monitor: OnceLock::new() });
    let engine = Engine::start(&settings, echo.clone()).await?;
    let _ = echo.monitor.set(engine.monitor().clone());
    println!("listening on 127.0.0.1:{port}");
    tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new())).await??;
    // Without Logouts that nobody asked for.
    std::process::exit(0)
}

#[tokio::main]
async fn main() {
    if let Err(fault) = run().await {
        eprintln!("truefix_echo: {fault}");
        std::process::exit(2);
    }
}
